// `npm start` is the first command a stranger types: this runs before there is anything to run TypeScript with. It is no
// "prestart" script, since npm runs none with `ignore-scripts` (.npmrc).
const { execSync } = require('node:child_process');
const { existsSync, statSync } = require('node:fs');
const { join } = require('node:path');

const { claimPlayground, playgroundOptions } = require('./playgroundOptions');

const neededNode = 20;
const repository = join(__dirname, '..');

async function main() {
	if (Number(process.versions.node.split('.')[0]) < neededNode)
		throw new Error(`Node ${neededNode} or newer is needed; this is Node ${process.versions.node}.`);
	const options = await playgroundOptions();
	claimPlayground();
	installDevelopmentTools();
	require('tsx/cjs');
	await require('./playground.ts').openPlayground(options);
}

function installDevelopmentTools() {
	/** npm writes this file when it has installed everything that package-lock.json lists. */
	const installed = join(repository, 'node_modules', '.package-lock.json');
	const wanted = join(repository, 'package-lock.json');
	if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(wanted).mtimeMs) return;
	console.log(
		'Installing the development tools (npm ci, one to three minutes; EBADENGINE warnings are about tools for tests) …',
	);
	try {
		execSync('npm ci --no-audit --no-fund', { cwd: repository, stdio: 'inherit' });
	} catch {
		throw new Error('npm ci failed: its message is above. With the network back, run the command again.');
	}
}

main().catch((error) => {
	console.error(`\n${error.message}`);
	process.exitCode = 1;
});
