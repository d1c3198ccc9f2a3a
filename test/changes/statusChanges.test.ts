import * as fc from 'fast-check';

import { parsePollState, serializePollState } from '../../nodes/VideoHosting/changes/pollState';
import { passes, statusChanges } from '../../nodes/VideoHosting/changes/statusChanges';

const statuses = ['ON_DEMAND', 'WAITING_LIVE', 'LIVE', 'SOMETHING_NEW'];
const reading = (event: string, status: string) => ({ event, status, record: { hash: event, status } });

/** What the node does between two polls: n8n keeps the memory as JSON, perhaps in a database over a restart. */
function overARestart(labels: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
	const memory = { scope: 'scope', knownItems: labels, complete: true, nextPage: 1 };
	const kept: unknown = JSON.parse(JSON.stringify(serializePollState(memory)));
	return parsePollState(kept, 'scope')?.knownItems ?? new Map();
}

/** A plan whose events change, are created and deleted between polls, and a service that lists them as it likes. */
const history = fc.array(
	fc.record({
		/** Events that are set to a status before the poll; those not there yet are created. */
		sets: fc.array(fc.tuple(fc.integer({ min: 0, max: 11 }), fc.constantFrom(...statuses)), {
			maxLength: 12,
		}),
		/** Events left out of this listing. */
		hidden: fc.uniqueArray(fc.integer({ min: 0, max: 11 }), { maxLength: 12 }),
		/** Places at which events are listed a second time. */
		repeated: fc.array(fc.nat({ max: 30 }), { maxLength: 4 }),
		order: fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
		/** The poll fails after it has read something: its result is thrown away. */
		fails: fc.boolean(),
		restarts: fc.boolean(),
	}),
	{ minLength: 1, maxLength: 12 },
);

describe('status changes between polls', () => {
	it('are told exactly once, whatever is listed in whatever order', () => {
		fc.assert(
			fc.property(history, (polls) => {
				const service = new Map<string, string>();
				/** The plain model: the status in which each event was last seen by a poll that succeeded. */
				const lastSeen = new Map<string, string>();
				let labels: ReadonlyMap<string, string> = new Map();

				for (const { sets, hidden, repeated, order, fails, restarts } of polls) {
					for (const [number, status] of sets) service.set(`event-${number}`, status);
					const listed = [...service]
						.filter(([event]) => !hidden.some((number) => event === `event-${number}`))
						.map(([event, status]) => ({ ...reading(event, status), place: order.next().value ?? 0 }))
						.sort((a, b) => a.place - b.place);
					for (const place of repeated) {
						const again = listed[place];
						if (again) listed.push(again);
					}

					const { changes, next } = statusChanges(labels, listed);
					if (fails) continue;

					const expected = [...new Map(listed.map((one) => [one.event, one])).values()]
						.filter(({ event, status }) => lastSeen.has(event) && lastSeen.get(event) !== status)
						.map(({ event, status, record }) => ({ record, previousStatus: lastSeen.get(event), status }));
					expect(changes).toEqual(expected);

					for (const { event, status } of listed) lastSeen.set(event, status);
					labels = restarts ? overARestart(next) : next;
				}
			}),
			{ numRuns: 500 },
		);
	});

	it('that go there and back between two polls are no change, and add up to the last status otherwise', () => {
		fc.assert(
			fc.property(fc.array(fc.constantFrom(...statuses), { minLength: 1, maxLength: 20 }), (seen) => {
				let labels: ReadonlyMap<string, string> = new Map();
				const told: string[] = [];
				for (const status of seen) {
					const { changes, next } = statusChanges(labels, [reading('event', status)]);
					told.push(...changes.map((change) => `${change.previousStatus}>${change.status}`));
					labels = next;
				}
				const steps = seen.slice(1).map((status, index) => `${seen[index]}>${status}`);
				expect(told).toEqual(steps.filter((step) => new Set(step.split('>')).size === 2));
			}),
		);
	});

	it('come out in the order of the list', () => {
		const events = ['c', 'a', 'b'];
		const before = statusChanges(
			new Map(),
			events.map((event) => reading(event, 'WAITING_LIVE')),
		).next;
		const { changes } = statusChanges(
			before,
			events.map((event) => reading(event, 'LIVE')),
		);
		expect(changes.map(({ record }) => record.hash)).toEqual(['c', 'a', 'b']);
	});

	it('are none at the first look: it is the silent baseline', () => {
		expect(statusChanges(new Map(), [reading('a', 'LIVE')]).changes).toEqual([]);
	});

	it('are none for an event that is listed for the first time', () => {
		const { next } = statusChanges(new Map(), [reading('a', 'LIVE')]);
		expect(statusChanges(next, [reading('a', 'LIVE'), reading('b', 'LIVE')]).changes).toEqual([]);
	});

	it('are still noticed after a listing that was empty', () => {
		const { next } = statusChanges(new Map(), [reading('a', 'WAITING_LIVE')]);
		const afterEmpty = statusChanges(next, []);
		expect(afterEmpty.changes).toEqual([]);
		expect(statusChanges(afterEmpty.next, [reading('a', 'LIVE')]).changes).toHaveLength(1);
	});

	it.each([
		[[], [], true],
		[['WAITING_LIVE'], [], true],
		[[], ['LIVE'], true],
		[['WAITING_LIVE', 'ON_DEMAND'], ['LIVE'], true],
		[['ON_DEMAND'], [], false],
		[[], ['ON_DEMAND'], false],
		[['WAITING_LIVE'], ['ON_DEMAND'], false],
	])('from WAITING_LIVE to LIVE pass the filter from %j to %j: %s', (from, to, expected) => {
		expect(passes({ from, to }, { previousStatus: 'WAITING_LIVE', status: 'LIVE' })).toBe(expected);
	});
});
