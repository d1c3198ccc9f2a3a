import { recordKey, type KnownRecord } from '../../../nodes/VideoHosting/trigger/diff/knownRecords';
import {
	emptyPollState,
	parsePollState,
	serializePollState,
} from '../../../nodes/VideoHosting/trigger/diff/pollState';
import { fc } from '../../execution/generated';

const bySize = (known: readonly KnownRecord[]) => known.map((item) => JSON.stringify(item)).sort();

describe('the state of a poll', () => {
	const item = fc
		.record({ number: fc.nat(), keys: fc.constantFrom('hash', 'id', 'both'), value: fc.string() })
		.chain(({ number, keys, value }) =>
			fc
				.record({ missed: fc.integer({ min: -1, max: 5 }), missedSince: fc.nat() })
				.map((missing): KnownRecord => ({
					...(keys === 'id' ? {} : { hashKey: recordKey(`hash${number}`) }),
					...(keys === 'hash' ? {} : { idKey: recordKey(`id${number}`) }),
					value,
					...missing,
				})),
		);
	const state = fc.record(
		{
			scope: fc.string(),
			revision: fc.nat(),
			known: fc.array(item, { maxLength: 30 }),
			nextPage: fc.integer({ min: 1, max: 999 }),
			baseline: fc.record({ readings: fc.nat({ max: 5 }), grown: fc.boolean() }),
			since: fc.nat(),
		},
		{ requiredKeys: ['scope', 'revision', 'known', 'nextPage'] },
	);

	it('survives JSON unchanged', () => {
		fc.assert(
			fc.property(state, (given) => {
				const back = parsePollState(JSON.parse(JSON.stringify(serializePollState(given))));
				expect({ ...back, known: bySize(back?.known ?? []) }).toEqual({
					...given,
					known: bySize(given.known),
				});
			}),
		);
	});

	it.each([
		['nothing', undefined],
		['null', null],
		['a text', 'memory'],
		['a list', []],
		['a version of the future', { ...serializePollState(emptyPollState('scope')), version: 99 }],
	])('is not read from %s', (_name, stored) => {
		expect(parsePollState(stored)).toBeUndefined();
	});
});
