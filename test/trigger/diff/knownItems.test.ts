import * as fc from 'fast-check';

import {
	afterCompleteReading,
	HOURS_BEFORE_FORGETTING,
	observe,
	READINGS_BEFORE_FORGETTING,
	type Identity,
	type KnownItem,
	type Reading,
} from '../../../nodes/VideoHosting/trigger/diff/knownItems';

const HOUR_MS = 3_600_000;
const start = Date.UTC(2026, 0, 1);

const reading = (identity: Identity, label = ''): Reading<string> => ({
	identity,
	label,
	record: identity.hash ?? identity.id ?? '',
});

/** Readings of the whole list, one an hour, and how many items are known after each. */
function sizes(known: KnownItem[], readings: Array<Array<Reading<string>>>): number[] {
	let items = known;
	return readings.map((listed, hour) => {
		items = afterCompleteReading(observe(items, listed).items, start + hour * HOUR_MS);
		return items.length;
	});
}

describe('the items of a list', () => {
	/** In each reading an event has some status, or is missing, and shows its hash, its ID, or both. */
	const appearance = fc.option(
		fc.record({
			status: fc.constantFrom('ON_DEMAND', 'WAITING_LIVE', 'LIVE'),
			fields: fc.constantFrom('hash', 'id', 'both'),
		}),
	);
	const history = fc.array(fc.array(appearance, { minLength: 6, maxLength: 6 }), { maxLength: 20 });

	it('stay the same whichever of hash and ID a record shows, once both were seen', () => {
		fc.assert(
			fc.property(history, (readings) => {
				const everything = readings[0]?.map((_, event) =>
					reading({ hash: `hash${event}`, id: `${event}` }, 'LIVE'),
				);
				let { items } = observe([], everything ?? []);
				const statuses = new Map((everything ?? []).map(({ identity }) => [identity.id, 'LIVE']));
				for (const listed of readings) {
					const records = listed.flatMap((shown, event) => {
						if (!shown) return [];
						const { fields, status } = shown;
						const hash = fields === 'id' ? undefined : `hash${event}`;
						const id = fields === 'hash' ? undefined : `${event}`;
						return [{ event, status, ...reading({ hash, id }, status) }];
					});
					const result = observe(items, records);
					expect(result.observations.map(({ previousLabel }) => previousLabel)).toEqual(
						records.map(({ event }) => statuses.get(`${event}`)),
					);
					for (const { event, status } of records) statuses.set(`${event}`, status);
					items = result.items;
					expect(items).toHaveLength(everything?.length ?? 0);
				}
			}),
		);
	});

	it('are listed for the first time once, whatever disappears, reappears or is listed twice', () => {
		const listings = fc.array(fc.array(fc.nat({ max: 20 }), { maxLength: 15 }), { maxLength: 15 });
		fc.assert(
			fc.property(listings, (polls) => {
				let items: KnownItem[] = [];
				const added: string[] = [];
				for (const [poll, listed] of polls.entries()) {
					const { observations, items: next } = observe(
						items,
						listed.map((number) => reading({ hash: `hash${number}` })),
					);
					added.push(
						...observations.filter((each) => each.previousLabel === undefined).map(({ record }) => record),
					);
					items = afterCompleteReading(next, start + poll * HOUR_MS);
				}
				expect(added).toEqual([...new Set(polls.flat())].map((number) => `hash${number}`));
			}),
		);
	});

	it('stay the same when the hash appears later', () => {
		const { items } = observe([], [reading({ id: '5' }, 'WAITING_LIVE')]);
		const later = observe(items, [reading({ id: '5', hash: 'abc' }, 'LIVE')]);
		expect(later.observations).toMatchObject([{ previousLabel: 'WAITING_LIVE' }]);
		expect(observe(later.items, [reading({ hash: 'abc' }, 'LIVE')]).observations).toMatchObject([
			{ previousLabel: 'LIVE' },
		]);
	});

	it('are one when hash and ID were seen apart before they are seen together', () => {
		const { items } = observe([], [reading({ id: '5' }, 'LIVE'), reading({ hash: 'abc' }, 'LIVE')]);
		expect(observe(items, [reading({ id: '5', hash: 'abc' }, 'LIVE')]).items).toHaveLength(1);
	});

	it('differ when their hashes differ, although they have the same ID', () => {
		const listed = [reading({ hash: 'a', id: '7' }), reading({ hash: 'b', id: '7' })];
		const { items, observations } = observe([], listed);
		expect(observations).toHaveLength(2);
		expect(items).toHaveLength(2);
		expect(observe(items, listed).observations.map(({ previousLabel }) => previousLabel)).toEqual(['', '']);
	});
});

describe('an item that is no longer listed', () => {
	const kept = reading({ hash: 'kept' });
	const gone = reading({ hash: 'gone' });
	const { items } = observe([], [kept, gone]);
	const hours = HOURS_BEFORE_FORGETTING + 3;

	it('is forgotten after a day of complete readings', () => {
		const after = sizes(
			items,
			Array.from({ length: hours }, (_, hour) => (hour === 0 ? [kept, gone] : [kept])),
		);
		expect(after.slice(0, HOURS_BEFORE_FORGETTING)).toEqual(Array(HOURS_BEFORE_FORGETTING).fill(2));
		expect(after.at(-1)).toBe(1);
	});

	it('is kept when it is listed again in between', () => {
		const after = sizes(
			items,
			Array.from({ length: 3 * hours }, (_, hour) => (hour % 20 === 0 ? [kept, gone] : [kept])),
		);
		expect(after.at(-1)).toBe(2);
	});

	it('is kept while the list is empty', () => {
		const after = sizes(
			items,
			Array.from({ length: 3 * hours }, (_, hour) => (hour === 0 ? [kept, gone] : [])),
		);
		expect(after.at(-1)).toBe(2);
	});

	it('is kept after a few readings, however far apart', () => {
		let known = afterCompleteReading(items, start);
		for (let count = 1; count < READINGS_BEFORE_FORGETTING; count++) {
			known = afterCompleteReading(observe(known, [kept]).items, start + count * 100 * HOUR_MS);
			expect(known).toHaveLength(2);
		}
		known = afterCompleteReading(observe(known, [kept]).items, start + 1000 * HOUR_MS);
		expect(known).toHaveLength(1);
	});

	it('is forgotten although the clock is set back', () => {
		let known = afterCompleteReading(items, start + 10_000 * HOUR_MS);
		known = afterCompleteReading(observe(known, [kept]).items, start + 10_000 * HOUR_MS);
		for (let hour = 0; hour < hours; hour++) {
			known = afterCompleteReading(observe(known, [kept]).items, start + hour * HOUR_MS);
		}
		expect(known).toHaveLength(1);
	});
});
