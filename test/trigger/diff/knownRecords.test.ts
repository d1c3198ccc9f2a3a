import {
	afterCompleteReading,
	compare,
	FORGOTTEN_AFTER,
	type ComparableRecord,
	type Identity,
	type KnownRecord,
} from '../../../nodes/VideoHosting/trigger/diff/knownRecords';
import { fc } from '../../execution/generated';

const HOUR_MS = 3_600_000;
const start = Date.UTC(2026, 0, 1);

const reading = (identity: Identity, value = ''): ComparableRecord<string> => ({
	identity,
	value,
	record: identity.hash ?? identity.id ?? '',
});

const forget = (records: KnownRecord[], now: number) =>
	afterCompleteReading(records, now, FORGOTTEN_AFTER).kept;

describe('the records of a list', () => {
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
				let { known } = compare([], everything ?? []);
				const statuses = new Map((everything ?? []).map(({ identity }) => [identity.id, 'LIVE']));
				for (const listed of readings) {
					const records = listed.flatMap((shown, event) => {
						if (!shown) return [];
						const { fields, status } = shown;
						const hash = fields === 'id' ? undefined : `hash${event}`;
						const id = fields === 'hash' ? undefined : `${event}`;
						return [{ event, status, ...reading({ hash, id }, status) }];
					});
					const result = compare(known, records);
					expect(result.compared.map(({ previousValue }) => previousValue)).toEqual(
						records.map(({ event }) => statuses.get(`${event}`)),
					);
					for (const { event, status } of records) statuses.set(`${event}`, status);
					known = result.known;
					expect(known).toHaveLength(everything?.length ?? 0);
				}
			}),
		);
	});

	it('are listed for the first time once, whatever disappears, reappears or is listed twice', () => {
		const listings = fc.array(fc.array(fc.nat({ max: 20 }), { maxLength: 15 }), { maxLength: 15 });
		fc.assert(
			fc.property(listings, (polls) => {
				let records: KnownRecord[] = [];
				const added: string[] = [];
				for (const [poll, listed] of polls.entries()) {
					const { compared, known: next } = compare(
						records,
						listed.map((number) => reading({ hash: `hash${number}` })),
					);
					added.push(
						...compared.filter((each) => each.previousValue === undefined).map(({ record }) => record),
					);
					records = forget(next, start + poll * HOUR_MS);
				}
				expect(added).toEqual([...new Set(polls.flat())].map((number) => `hash${number}`));
			}),
		);
	});

	it('are one when hash and ID were seen apart before they are seen together', () => {
		const { known: records } = compare([], [reading({ id: '5' }, 'LIVE'), reading({ hash: 'abc' }, 'LIVE')]);
		expect(compare(records, [reading({ id: '5', hash: 'abc' }, 'LIVE')]).known).toHaveLength(1);
	});

	it('differ when their hashes differ, although they have the same ID', () => {
		const listed = [reading({ hash: 'a', id: '7' }), reading({ hash: 'b', id: '7' })];
		const { known: records, compared } = compare([], listed);
		expect(compared).toHaveLength(2);
		expect(records).toHaveLength(2);
		expect(compare(records, listed).compared.map(({ previousValue }) => previousValue)).toEqual(['', '']);
	});
});

describe('a record that is no longer listed', () => {
	const kept = reading({ hash: 'kept' });
	const gone = reading({ hash: 'gone' });
	const { known: records } = compare([], [kept, gone]);
	const hours = FORGOTTEN_AFTER.hours + 3;

	it('is forgotten after a day of complete readings', () => {
		let known = forget(compare(records, [kept, gone]).known, start);
		for (let hour = 1; hour < hours; hour++) {
			if (hour <= FORGOTTEN_AFTER.hours) expect(known).toHaveLength(2);
			known = forget(compare(known, [kept]).known, start + hour * HOUR_MS);
		}
		expect(known).toHaveLength(1);
	});

	it('is kept after a few readings, however far apart', () => {
		let known = forget(records, start);
		for (let count = 1; count < FORGOTTEN_AFTER.readings; count++) {
			known = forget(compare(known, [kept]).known, start + count * 100 * HOUR_MS);
			expect(known).toHaveLength(2);
		}
		known = forget(compare(known, [kept]).known, start + 1000 * HOUR_MS);
		expect(known).toHaveLength(1);
	});

	it('is forgotten although the clock is set back', () => {
		let known = forget(records, start + 10_000 * HOUR_MS);
		known = forget(compare(known, [kept]).known, start + 10_000 * HOUR_MS);
		for (let hour = 0; hour < hours; hour++) {
			known = forget(compare(known, [kept]).known, start + hour * HOUR_MS);
		}
		expect(known).toHaveLength(1);
	});
});
