const { availableParallelism } = require('node:os');

const common = {
	transform: {
		'/node_modules/(@?n8n|luxon)\\b.+\\.c?js$': '<rootDir>/test/execution/packages.js',
		'^.+\\.ts$': [
			'@swc/jest',
			{
				jsc: { target: 'es2022', parser: { syntax: 'typescript', decorators: true } },
				module: { type: 'commonjs' },
			},
		],
	},
	transformIgnorePatterns: ['/node_modules/(?!(@?n8n|luxon)\\b)'],
	testEnvironment: '<rootDir>/test/execution/environment.js',
	// Copies of the repository, which `npm run mutants` makes.
	modulePathIgnorePatterns: ['<rootDir>/.run/'],
};
/** Tests that start n8n require n8n itself and the packed package. */
const withN8n = { ...common, globalSetup: '<rootDir>/test/n8n/jestSetup.ts' };

/** `behaviour` runs in seconds on its own, `endToEnd` in n8n, `matrix` in each supported n8n and under hosts' settings. */
module.exports = {
	projects: [
		{
			...common,
			displayName: 'behaviour',
			testMatch: ['<rootDir>/test/**/*.test.ts', '!**/test/{endToEnd,matrix}/**'],
			setupFilesAfterEnv: ['<rootDir>/test/execution/policies.ts'],
		},
		{ ...withN8n, displayName: 'endToEnd', testMatch: ['<rootDir>/test/endToEnd/**/*.test.ts'] },
		{ ...withN8n, displayName: 'matrix', testMatch: ['<rootDir>/test/matrix/**/*.test.ts'] },
	],
	// Ends a test that waits for ever: on a busy machine, a test may take twenty times as long.
	testTimeout: 120_000,
	// Of concurrent tests in one file, which mostly wait.
	maxConcurrency: 10,
	// Tests in a real n8n mostly wait for it: for a poll, a retry, a page of the editor.
	maxWorkers: availableParallelism() + 1,
	reporters: ['default', '<rootDir>/test/execution/endOfRun.js'],
};
