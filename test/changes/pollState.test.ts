import * as fc from 'fast-check';

import { fingerprint } from '../../nodes/VideoHosting/changes/fingerprint';
import {
	parsePollState,
	serializePollState,
	type PollState,
} from '../../nodes/VideoHosting/changes/pollState';
import { statusChanges } from '../../nodes/VideoHosting/changes/statusChanges';

const memoryOf = (knownItems: ReadonlyMap<string, string>): PollState => ({
	scope: 'scope',
	knownItems,
	complete: true,
	nextPage: 1,
});

function planOf(events: number): Map<string, string> {
	const statuses = ['ON_DEMAND', 'WAITING_LIVE', 'LIVE'];
	const readings = Array.from({ length: events }, (_, number) => ({
		event: `0c42e7d1aa5f1d7a84b9-${number}`,
		status: statuses[number % 3] ?? '',
		record: undefined,
	}));
	return statusChanges(new Map(), readings).next;
}

describe('what a poll remembers', () => {
	it('comes back from JSON as it was', () => {
		const things = fc.array(fc.tuple(fc.string(), fc.string()), { maxLength: 50 });
		fc.assert(
			fc.property(things, fc.boolean(), fc.integer({ min: 1, max: 999 }), (given, complete, nextPage) => {
				const knownItems = new Map(given.map(([event, status]) => [fingerprint(event), status]));
				const memory = { scope: 'scope', knownItems, complete, nextPage };
				const back = parsePollState(JSON.parse(JSON.stringify(serializePollState(memory))), 'scope');
				expect(back && { ...back, knownItems: new Map([...back.knownItems].sort()) }).toEqual({
					...memory,
					knownItems: new Map([...knownItems].sort()),
				});
			}),
		);
	});

	it.each([100, 1_000, 10_000])('takes at most 20 bytes for each of %i events', (events) => {
		const bytes = Buffer.byteLength(JSON.stringify(serializePollState(memoryOf(planOf(events)))));
		expect(planOf(events).size).toBe(events);
		expect(bytes).toBeLessThanOrEqual(events * 20);
	});

	it('is read in the format of version 1', () => {
		const stored: unknown = JSON.parse(
			'{"version":1,"scope":"q1w2e3r4t5y6","complete":true,"nextPage":1,"since":1767225600000,' +
				'"labels":{"WAITING_LIVE":"ypeBEsobvcr61WYOaJ24UC3qwmVA","LIVE":"PiPoFgA5Wnl1"}}',
		);
		// 28 characters are not a multiple of 12: cut off on the way, so it cannot be trusted.
		expect(parsePollState(stored, 'q1w2e3r4t5y6')).toBeUndefined();

		const whole: unknown = JSON.parse(
			'{"version":1,"scope":"q1w2e3r4t5y6","complete":true,"nextPage":1,"since":1767225600000,' +
				'"labels":{"WAITING_LIVE":"ypeBEsobvcr6ungWv48Bz-pB","LIVE":"PiPoFgA5WUoz"}}',
		);
		expect(parsePollState(whole, 'q1w2e3r4t5y6')).toEqual({
			scope: 'q1w2e3r4t5y6',
			complete: true,
			nextPage: 1,
			since: 1767225600000,
			knownItems: new Map([
				[fingerprint('a'), 'WAITING_LIVE'],
				['ungWv48Bz-pB', 'WAITING_LIVE'],
				['PiPoFgA5WUoz', 'LIVE'],
			]),
		});
	});

	it.each([
		['nothing', undefined],
		['null', null],
		['a text', 'memory'],
		['a list', []],
		['no version', { scope: 'scope', complete: true, nextPage: 1, knownItems: {} }],
		['a version of the future', { version: 99, scope: 'scope', complete: true, nextPage: 1, knownItems: {} }],
		[
			'knownItems that are no texts',
			{ version: 1, scope: 'scope', complete: true, nextPage: 1, knownItems: { LIVE: 7 } },
		],
		['another scope', serializePollState({ ...memoryOf(new Map()), scope: 'another' })],
	])('is not taken from %s: a new baseline begins', (_name, stored) => {
		expect(parsePollState(stored, 'scope')).toBeUndefined();
	});

	it('begins at page 1 when the page it kept makes no sense', () => {
		const stored = { ...serializePollState(memoryOf(new Map())), nextPage: -3 };
		expect(parsePollState(stored, 'scope')?.nextPage).toBe(1);
	});
});
