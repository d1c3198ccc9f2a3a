/**
 * `npm run mutants -- <file or folder> …` breaks the code in one place at a time and lists each change that no test of behaviour
 * notices, with its line. `--tests test/upload` asks these tests alone, which is quick. What did not change since the last run is not
 * run again (.run/mutants.json).
 */
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { Stryker } from '@stryker-mutator/core';

const { positionals: paths, values } = parseArgs({
	allowPositionals: true,
	options: { tests: { type: 'string', default: 'test' } },
});
if (paths.length === 0) {
	console.error('Usage: npm run mutants -- <file or folder> … [--tests <file or folder of tests>]');
	process.exit(1);
}
const require = createRequire(import.meta.url);
const [behaviour] = require('../../jest.config.js').projects;

// The same generated cases each time, and few of them: each change runs them again.
process.env.CI = 'true';
process.env.UPLOAD_SEQUENCES = '3';
// A test process that is ended because a change made it run forever leaves its files, which may be large.
process.env.TMPDIR = resolve('.run/mutantFiles');
rmSync(process.env.TMPDIR, { recursive: true, force: true });
mkdirSync(process.env.TMPDIR, { recursive: true });

const results = await new Stryker({
	mutate: paths.map((path) => (statSync(path).isDirectory() ? `${path.replace(/\/$/, '')}/**/*.ts` : path)),
	// What a message says is not tested. What runs when a file is loaded is mostly the texts of parameters.
	mutator: { excludedMutations: ['StringLiteral'] },
	ignoreStatic: true,
	testRunner: 'jest',
	coverageAnalysis: 'perTest',
	jest: {
		config: {
			...behaviour,
			projects: [],
			testMatch: [`<rootDir>/${values.tests}{,/**/*.test.ts}`, '!**/test/{endToEnd,matrix}/**'],
			runner: require.resolve('./runner.js'),
			testEnvironment: require.resolve('./environment.js'),
			testPathIgnorePatterns: ['/node_modules/', '[.]slow[.]'],
		},
	},
	disableTypeChecks: false,
	incremental: true,
	incrementalFile: '.run/mutants.json',
	tempDirName: '.run/mutants',
	ignorePatterns: ['.run', 'dist', 'coverage'],
	reporters: ['clear-text', 'progress'],
	clearTextReporter: { logTests: false, reportTests: false, skipFull: true },
	dryRunTimeoutMinutes: 15,
}).runMutationTest();
rmSync(process.env.TMPDIR, { recursive: true, force: true });
process.exitCode = results.some(({ status }) => status === 'Survived' || status === 'NoCoverage') ? 1 : 0;
