const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { default: TestRunner } = require('jest-runner');

/** Names of the tests of each file, written by the first run, which changes nothing, into Stryker's copy of the repository. */
const namesFile = path.resolve('testNames.json');
/** How many changes each test file has noticed. */
const noticed = new Map();

/**
 * Jest's runner for Stryker. Stryker names the tests that reach a change, and Jest would load every test file for them. This runner
 * loads the files of those tests, the likeliest first, until one has failed.
 */
module.exports = class UntilNoticed extends TestRunner {
	async runTests(tests, watcher, options) {
		const { testNamePattern } = this._globalConfig;
		const names = existsSync(namesFile) ? JSON.parse(readFileSync(namesFile, 'utf8')) : {};
		this.on('test-file-success', ([{ path: file }, { numFailingTests, testResults }]) => {
			if (!testNamePattern) names[file] = testResults.map(({ fullName }) => fullName);
			else if (numFailingTests > 0) {
				noticed.set(file, (noticed.get(file) ?? 0) + 1);
				void watcher.setState({ interrupted: true });
			}
		});
		if (testNamePattern) {
			const pattern = new RegExp(testNamePattern);
			const reaching = tests.filter(({ path: file }) => names[file]?.some((name) => pattern.test(name)));
			await super.runTests(reaching.sort(byLikelihood), watcher, options);
		} else {
			await super.runTests(tests, watcher, options);
			writeFileSync(namesFile, JSON.stringify(names));
		}
	}
};

function byLikelihood(a, b) {
	const more = (noticed.get(b.path) ?? 0) - (noticed.get(a.path) ?? 0);
	return more || (a.duration ?? 0) - (b.duration ?? 0);
}
