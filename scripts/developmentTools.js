// `npm start` is the first command a stranger types: this runs before there is anything to run TypeScript with. It is no
// "prestart" script, since npm runs none with `ignore-scripts` (.npmrc).
const { execSync } = require('node:child_process');
const { existsSync, statSync } = require('node:fs');
const { join } = require('node:path');

const neededNode = 20;
const repository = join(__dirname, '..');

if (Number(process.versions.node.split('.')[0]) < neededNode) {
	console.error(`Node ${neededNode} or newer is needed; this is Node ${process.versions.node}.`);
	process.exit(1);
}

/** npm writes this file when it has installed everything that package-lock.json lists. */
const installed = join(repository, 'node_modules', '.package-lock.json');
const isCurrent =
	existsSync(installed) &&
	statSync(installed).mtimeMs >= statSync(join(repository, 'package-lock.json')).mtimeMs;

if (!isCurrent) {
	console.log(
		'Installing the development tools (npm ci, about a minute; EBADENGINE warnings are about tools for tests) …',
	);
	try {
		execSync('npm ci --no-audit --no-fund', { cwd: repository, stdio: 'inherit' });
	} catch {
		console.error('\nnpm ci failed: its message is above. With the network back, run the command again.');
		process.exit(1);
	}
}
