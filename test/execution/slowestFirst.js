const { default: Sequencer } = require('@jest/test-sequencer');

/** The files that take longest, by a part of their path: begun last, one of them alone would keep a run from ending. */
const slowest = ['endToEnd/trigger', 'endToEnd/upload', 'endToEnd/', 'upload/model', '.slow.'];

const rank = ({ path }) => {
	const place = slowest.findIndex((part) => path.includes(part));
	return place < 0 ? slowest.length : place;
};

module.exports = class SlowestFirst extends Sequencer {
	sort(tests) {
		return [...super.sort(tests)].sort((one, other) => rank(one) - rank(other));
	}
};
