const TestEnvironment = require('../../test/execution/environment.js');

/** Runs no further test of a file after one has failed: the change has been noticed, and the others may each wait for nothing. */
module.exports = class UntilFirstFailure extends TestEnvironment {
	handleTestEvent(event) {
		if (event.name === 'test_done') this.hasFailed ||= event.test.errors.length > 0;
		if (event.name === 'test_start' && this.hasFailed) event.test.mode = 'skip';
	}
};
