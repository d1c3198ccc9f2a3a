// Runs before there is anything to run TypeScript with.
const { claimPlayground, playgroundOptions } = require('./playgroundOptions');
const { checkNode, installTools } = require('./tools');

async function main() {
	checkNode();
	const options = await playgroundOptions();
	claimPlayground();
	installTools();
	require('tsx/cjs');
	await require('./playground.ts').openPlayground(options);
}

main().catch((error) => {
	console.error(`\n${error.message}`);
	process.exitCode = 1;
});
