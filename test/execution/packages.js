/** Jest's transformer for packages: Node.js loads them, once for all test files of a process. n8n-core takes seconds. */
module.exports = {
	process: (_source, file) => ({
		code: `module.exports = globalThis.requireOnce(${JSON.stringify(file)});`,
	}),
};
