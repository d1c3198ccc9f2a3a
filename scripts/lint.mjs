import { spawn } from 'node:child_process';

/** `npm run lint` runs all of it side by side; `npm run lint:fix` one after the other, and corrects what can be corrected. */
const isFix = process.argv.includes('--fix');
const checks = {
	types: 'tsc --project test --incremental --tsBuildInfoFile .run/lint.tsbuildinfo',
	'code, and the rules of n8n': isFix ? 'eslint --fix .' : 'eslint .',
	'imports between rooms': 'depcruise nodes credentials',
	format: isFix ? 'prettier --write --log-level warn .' : 'prettier --check --log-level warn .',
	'both panels, as n8n shows them': 'node --import tsx scripts/lintPanel.mjs',
	'GitHub workflows': 'node scripts/lintWorkflows.mjs',
};

/** Runs a command and reports its output once it is over; resolves with whether it passed. */
async function run([title, command]) {
	const output = [];
	const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
	const code = await new Promise((resolve) => child.once('close', resolve));
	console.log(`${code === 0 ? 'passed' : 'FAILED'}: ${title} (${command})`);
	if (code !== 0) console.log(Buffer.concat(output).toString());
	return code === 0;
}

const results = [];
if (isFix) for (const check of Object.entries(checks)) results.push(await run(check));
else results.push(...(await Promise.all(Object.entries(checks).map(run))));
process.exitCode = results.every(Boolean) ? 0 : 1;
