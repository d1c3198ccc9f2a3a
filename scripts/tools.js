/**
 * `node scripts/tools.js` installs the development tools, unless they are there. Each command that a stranger may type first begins
 * with it. It is no "pretest" script, since npm runs none with `ignore-scripts` (.npmrc), and it requires Node alone.
 */
const { execSync } = require('node:child_process');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const { claim, release } = require('./pidFile');

const NEEDED_NODE = 20;
const repository = join(__dirname, '..');
/** Not in node_modules, which `npm ci` removes. */
const pidFile = join(repository, '.run', 'install.pid');

/** @throws Error that names the version that is needed */
function checkNode() {
	if (Number(process.versions.node.split('.')[0]) < NEEDED_NODE)
		throw new Error(`Node ${NEEDED_NODE} or newer is needed; this is Node ${process.versions.node}.`);
}

/** @throws Error that says what to do, when the tools cannot be installed */
function installTools() {
	let isAnnounced = false;
	while (!areInstalled()) {
		const holder = claim(pidFile);
		if (holder === process.pid) {
			try {
				// Another command may have installed them since they were looked for.
				if (!areInstalled()) install();
			} finally {
				release(pidFile);
			}
			return;
		}
		if (!isAnnounced)
			console.log(
				`Waiting for process ${holder}, which installs the development tools. If it is something else, delete ${pidFile}.`,
			);
		isAnnounced = true;
		Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
	}
}

/** Whether each package has the version of package-lock.json. npm writes the list of what it installed last. */
function areInstalled() {
	const installed = packagesOf('node_modules/.package-lock.json');
	return Object.entries(packagesOf('package-lock.json')).every(
		([path, { version, optional, devOptional }]) =>
			path === '' ||
			(installed[path] === undefined ? optional || devOptional : installed[path].version === version),
	);
}

function packagesOf(file) {
	try {
		return JSON.parse(readFileSync(join(repository, file), 'utf8')).packages;
	} catch (error) {
		if (error.code === 'ENOENT') return {};
		throw error;
	}
}

function install() {
	console.log(
		'Installing the development tools (npm ci, one to three minutes; EBADENGINE warnings are about tools for tests) …',
	);
	try {
		execSync('npm ci --no-audit --no-fund', { cwd: repository, stdio: 'inherit' });
	} catch {
		throw new Error('npm ci failed: its message is above. With the network back, run the command again.');
	}
}

module.exports = { checkNode, installTools };

if (require.main === module)
	try {
		checkNode();
		installTools();
	} catch (error) {
		console.error(`\n${error.message}`);
		process.exitCode = 1;
	}
