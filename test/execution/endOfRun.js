/**
 * Ends a run of jest in which a test left something open, such as its service: jest would wait for it for ever. Jest's own
 * forceExit does so as well, but without an error when all tests passed, and with a notice after each run.
 */
module.exports = class EndOfRun {
	onRunComplete() {
		// Keeps nothing alive itself: it fires only in a process that does not end.
		setTimeout(() => {
			console.error('A test left something open.');
			process.exit(1);
		}, 20_000).unref();
	}
};
