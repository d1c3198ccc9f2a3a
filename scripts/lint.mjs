import { spawn } from 'node:child_process';

/**
 * `npm run lint` runs all of it side by side, `npm run lint -- <files>` what is quick, for these files. `npm run lint:fix` runs one after
 * the other, and corrects what can be corrected.
 */
const [files, isFix] = [
	process.argv.slice(2).filter((arg) => arg !== '--fix'),
	process.argv.includes('--fix'),
];
const paths = files.length > 0 ? files.map((file) => `'${file}'`).join(' ') : '.';
// ESLint has no cache: its own knows the file alone, and rules that need types look at others, too.
const caches = process.env.CI
	? { tsc: '', prettier: '' }
	: {
			tsc: '--incremental --tsBuildInfoFile .run/lint.tsbuildinfo',
			prettier: '--cache --cache-strategy content --cache-location .run/prettier.json',
		};
const quick = {
	types: `tsc --project test ${caches.tsc}`,
	'code, and the rules of n8n': `eslint --no-warn-ignored ${isFix ? '--fix ' : ''}${paths}`,
	format: `prettier ${isFix ? '--write' : '--check'} ${caches.prettier} --ignore-unknown --log-level warn ${paths}`,
};
const whole = {
	'imports between rooms': 'depcruise nodes credentials',
	'both panels, as n8n shows them': 'node --import tsx scripts/lintPanel.mjs',
	'GitHub workflows': 'node scripts/lintWorkflows.mjs',
};
const checks = files.length > 0 ? quick : { ...quick, ...whole };
// Fewer collections of garbage, which are a fifth of ESLint's time.
const env = { ...process.env, NODE_OPTIONS: '--max-semi-space-size=64' };

/** Runs a command and reports its output once it is over; resolves with whether it passed. */
async function run([title, command]) {
	const output = [];
	const child = spawn(command, { shell: true, env, stdio: ['ignore', 'pipe', 'pipe'] });
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
