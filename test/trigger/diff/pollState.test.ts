import * as fc from 'fast-check';

import { itemKey } from '../../../nodes/VideoHosting/trigger/diff/fingerprint';
import { observe, type KnownItem } from '../../../nodes/VideoHosting/trigger/diff/knownItems';
import {
	emptyPollState,
	nextRevision,
	parsePollState,
	serializePollState,
	type PollState,
} from '../../../nodes/VideoHosting/trigger/diff/pollState';

function planOf(events: number): PollState {
	const statuses = ['ON_DEMAND', 'WAITING_LIVE', 'LIVE'];
	const readings = Array.from({ length: events }, (_, number) => ({
		identity: { hash: `0c42e7d1aa5f1d7a84b9-${number}`, id: `eventId ${number}` },
		label: statuses[number % 3] ?? '',
		record: undefined,
	}));
	return { ...emptyPollState('scope'), items: observe([], readings).items };
}

const bySize = (items: readonly KnownItem[]) => items.map((item) => JSON.stringify(item)).sort();

describe('the state of a poll', () => {
	const item = fc
		.record({ number: fc.nat(), keys: fc.constantFrom('hash', 'id', 'both'), label: fc.string() })
		.chain(({ number, keys, label }) =>
			fc
				.record({ missed: fc.integer({ min: -1, max: 5 }), missedSince: fc.nat() })
				.map((missing): KnownItem => ({
					...(keys === 'id' ? {} : { hashKey: itemKey(`hash${number}`) }),
					...(keys === 'hash' ? {} : { idKey: itemKey(`id${number}`) }),
					label,
					...missing,
				})),
		);
	const state = fc.record(
		{
			scope: fc.string(),
			revision: fc.nat(),
			items: fc.array(item, { maxLength: 30 }),
			nextPage: fc.integer({ min: 1, max: 999 }),
			baseline: fc.record({ readings: fc.nat({ max: 5 }), grown: fc.boolean() }),
			since: fc.nat(),
		},
		{ requiredKeys: ['scope', 'revision', 'items', 'nextPage'] },
	);

	it('survives JSON unchanged', () => {
		fc.assert(
			fc.property(state, (given) => {
				const back = parsePollState(JSON.parse(JSON.stringify(serializePollState(given))));
				expect({ ...back, items: bySize(back?.items ?? []) }).toEqual({
					...given,
					items: bySize(given.items),
				});
			}),
		);
	});

	it.each([100, 1_000, 10_000])('needs at most 20 bytes for each of %i events', (events) => {
		const plan = planOf(events);
		expect(plan.items).toHaveLength(events);
		expect(JSON.stringify(serializePollState(plan)).length).toBeLessThanOrEqual(events * 20 + 250);
	});

	it('is read in the format of version 1', () => {
		const stored: unknown = JSON.parse(
			'{"version":1,"scope":"q1w2e3r4t5y6","complete":true,"nextPage":1,"since":1767225600000,' +
				'"labels":{"WAITING_LIVE":"ypeBEsobvcr61WYOaJ24UC3qwmVA","LIVE":"PiPoFgA5Wnl1"}}',
		);
		// 28 characters are not a multiple of 12: the state was cut off and cannot be used.
		expect(parsePollState(stored)).toBeUndefined();

		const whole: unknown = JSON.parse(
			'{"version":1,"scope":"q1w2e3r4t5y6","complete":true,"nextPage":1,"since":1767225600000,' +
				'"labels":{"WAITING_LIVE":"ypeBEsobvcr6ungWv48Bz-pB","LIVE":"PiPoFgA5WUoz"}}',
		);
		const read = parsePollState(whole);
		expect(read).toEqual({
			scope: 'q1w2e3r4t5y6',
			revision: 0,
			nextPage: 1,
			since: 1767225600000,
			items: [
				{ hashKey: itemKey('a'), label: 'WAITING_LIVE', missed: 0, missedSince: 0 },
				{ hashKey: 'ungWv48Bz', label: 'WAITING_LIVE', missed: 0, missedSince: 0 },
				{ hashKey: 'PiPoFgA5W', label: 'LIVE', missed: 0, missedSince: 0 },
			],
		});
		const { observations } = observe(read?.items ?? [], [
			{ identity: { hash: 'a', id: 'eventId 1' }, label: 'LIVE', record: 'a' },
		]);
		expect(observations).toMatchObject([{ previousLabel: 'WAITING_LIVE' }]);
	});

	it('of version 1 knows an event without a hash by its ID', () => {
		// Version 1 stored the fingerprint of "eventId 5" for it.
		const stored = {
			version: 1,
			scope: 's',
			complete: true,
			nextPage: 1,
			labels: { LIVE: `${itemKey('eventId 5')}abc` },
		};
		const listed = [{ identity: { id: 'eventId 5', hash: 'later' }, label: 'ON_DEMAND', record: 5 }];
		const { observations, items } = observe(parsePollState(stored)?.items ?? [], listed);
		expect(observations).toMatchObject([{ previousLabel: 'LIVE' }]);
		expect(items).toMatchObject([{ hashKey: itemKey('later'), idKey: itemKey('eventId 5') }]);
	});

	it('of version 1 continues a baseline that was not complete', () => {
		const stored = { version: 1, scope: 's', complete: false, nextPage: 3, labels: {} };
		expect(parsePollState(stored)).toMatchObject({ nextPage: 3, baseline: { readings: 0, grown: false } });
	});

	it.each([
		['nothing', undefined],
		['null', null],
		['a text', 'memory'],
		['a list', []],
		['no version', { scope: 'scope', nextPage: 1, revision: 1, items: [] }],
		['a version of the future', { version: 99, scope: 'scope', nextPage: 1, revision: 1, items: [] }],
		['labels that are no texts', { version: 1, scope: 'scope', complete: true, labels: { LIVE: 7 } }],
		['keys that are cut off', { ...serializePollState(planOf(0)), items: [['LIVE', 'hash', 0, 0, 'abc']] }],
		[
			'keys of an unknown kind',
			{ ...serializePollState(planOf(0)), items: [['LIVE', 'x', 0, 0, 'abcdefghi']] },
		],
		['no revision', { ...serializePollState(planOf(0)), revision: null }],
		['a baseline that makes no sense', { ...serializePollState(planOf(0)), baseline: 7 }],
	])('is not read from %s', (_name, stored) => {
		expect(parsePollState(stored)).toBeUndefined();
	});

	it('begins at page 1 when the stored page makes no sense', () => {
		expect(parsePollState({ ...serializePollState(planOf(0)), nextPage: -3 })?.nextPage).toBe(1);
	});

	it('has a revision that grows whatever the clock does', () => {
		fc.assert(
			fc.property(fc.array(fc.nat()), (times) => {
				let current = emptyPollState('scope');
				for (const now of times) {
					const revision = nextRevision(current, now);
					expect(revision).toBeGreaterThan(current.revision);
					expect(revision).toBeGreaterThanOrEqual(now);
					current = { ...current, revision };
				}
			}),
		);
	});
});
