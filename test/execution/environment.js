const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/** Stands for the context of this process, where Jest expects a context of its own (jest-runtime 30.5, `compile`). */
const thisContext = {};
const { compileFunction } = vm;
vm.compileFunction = (code, parameters, { parsingContext, ...options }) =>
	compileFunction(
		code,
		parameters,
		parsingContext === thisContext ? options : { ...options, parsingContext },
	);

/** Loads a package once per process: Jest's own `require` loads packages again for each test file. */
globalThis.requireOnce = require;

/**
 * Runs tests in the process itself. So a package can be loaded once for all test files (packages.js), and an error of the package is an
 * `Error` of the tests, too.
 */
module.exports = class OneContext extends TestEnvironment {
	constructor(...options) {
		super(...options);
		this.global = globalThis;
		// Those of the file before (jest-circus 30.5, `state`).
		delete globalThis[Symbol.for('EVENT_HANDLERS')];
	}

	getVmContext() {
		return thisContext;
	}
};
