import * as fc from 'fast-check';

import { recordKey } from '../../../nodes/VideoHosting/trigger/diff/knownRecords';
import { compare, type KnownRecord } from '../../../nodes/VideoHosting/trigger/diff/knownRecords';
import {
	emptyPollState,
	parsePollState,
	serializePollState,
	type PollState,
} from '../../../nodes/VideoHosting/trigger/diff/pollState';

function planOf(events: number): PollState {
	const statuses = ['ON_DEMAND', 'WAITING_LIVE', 'LIVE'];
	const readings = Array.from({ length: events }, (_, number) => ({
		identity: { hash: `0c42e7d1aa5f1d7a84b9-${number}`, id: `eventId ${number}` },
		value: statuses[number % 3] ?? '',
		record: undefined,
	}));
	return { ...emptyPollState('scope'), known: compare([], readings).known };
}

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

	it.each([100, 1_000, 10_000])('needs at most 20 bytes for each of %i events', (events) => {
		const plan = planOf(events);
		expect(plan.known).toHaveLength(events);
		expect(JSON.stringify(serializePollState(plan)).length).toBeLessThanOrEqual(events * 20 + 250);
	});

	it.each([
		['nothing', undefined],
		['null', null],
		['a text', 'memory'],
		['a list', []],
		['a version of the future', { ...serializePollState(planOf(0)), version: 99 }],
	])('is not read from %s', (_name, stored) => {
		expect(parsePollState(stored)).toBeUndefined();
	});
});
