const { availableParallelism } = require('node:os');

const typescript = {
	'^.+\\.ts$': [
		'@swc/jest',
		{
			jsc: { target: 'es2022', parser: { syntax: 'typescript', decorators: true } },
			module: { type: 'commonjs' },
		},
	],
};

/** Two groups: `behaviour` runs in seconds on its own; `endToEnd` starts a real n8n and requires the built package. */
module.exports = {
	projects: [
		{
			displayName: 'behaviour',
			testMatch: ['<rootDir>/test/**/*.test.ts'],
			testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/endToEnd/', '<rootDir>/test/matrix/'],
			setupFilesAfterEnv: ['<rootDir>/test/execution/shortRequestPauses.ts'],
			transform: typescript,
			testEnvironment: 'node',
		},
		{
			displayName: 'endToEnd',
			testMatch: ['<rootDir>/test/endToEnd/**/*.test.ts'],
			globalSetup: '<rootDir>/test/n8n/jestSetup.ts',
			globalTeardown: '<rootDir>/test/n8n/jestTeardown.ts',
			transform: typescript,
			testEnvironment: 'node',
		},
	],
	testTimeout: 30_000,
	// Of concurrent tests in one file, which mostly wait.
	maxConcurrency: 10,
	testSequencer: '<rootDir>/test/execution/slowestFirst.js',
	// Tests in a real n8n mostly wait for it: for a poll, a retry, a page of the editor.
	maxWorkers: availableParallelism() + 1,
	reporters: ['default', '<rootDir>/test/execution/endOfRun.js'],
};
