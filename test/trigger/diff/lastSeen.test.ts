import { compare } from '../../../nodes/VideoHosting/trigger/diff/knownRecords';
import {
	eventIdentity,
	pack,
	unpack,
	type LastSeen,
} from '../../../nodes/VideoHosting/trigger/diff/lastSeen';
import {
	emptyPollState,
	parsePollState,
	serializePollState,
} from '../../../nodes/VideoHosting/trigger/diff/pollState';
import { fc } from '../../execution/generated';

const hex = fc.uint8Array({ minLength: 4, maxLength: 16 }).map((bytes) => Buffer.from(bytes).toString('hex'));
const text = (maxLength: number) => fc.string({ unit: 'binary', minLength: 1, maxLength });
const dates = fc
	.date({ min: new Date('1971-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
	.map((date) => date.toISOString().slice(0, 19).replace('T', ' '));

/** Events whose titles are short enough to be kept whole. */
const event: fc.Arbitrary<LastSeen> = fc.record(
	{
		title: text(6),
		dateScheduled: fc.oneof(dates, fc.constantFrom('05/11/2026', '2026-12-24T18:00:00Z', '1.7.26 18 Uhr')),
		hash: fc.oneof(hex, fc.uuid(), fc.constantFrom('ABC', 'a b', 'ä')),
		eventId: fc.integer({ min: 1 }),
	},
	{ requiredKeys: [] },
);

describe('an event as it was last seen', () => {
	it('is the same after it was packed', () => {
		fc.assert(
			fc.property(event, (seen) => {
				expect(unpack(pack(seen))).toEqual(seen);
			}),
		);
	});

	it('with a long title has at most the allowed bytes, and differs whenever the title does', () => {
		fc.assert(
			fc.property(text(400), text(400), (title, other) => {
				const seen = { title, dateScheduled: '2026-12-24 18:00:00', hash: 'ab'.repeat(16), eventId: 123_456 };
				const packed = pack(seen);
				expect(Buffer.byteLength(JSON.stringify(packed))).toBeLessThanOrEqual(115);
				expect(pack({ ...seen, title: other }) === packed).toBe(title === other);
				const { title: shown = '', ...rest } = unpack(packed);
				expect({ ...rest, title }).toEqual(seen);
				expect(title === shown || title.startsWith(shown.slice(0, -1))).toBe(true);
			}),
		);
	});
});

const TITLES = [
	'Weekly all-hands',
	'Quarterly results for investors and analysts, with questions and answers',
	'Lançamento da coleção de verão – transmissão ao vivo para as lojas',
	'新製品発表会 2026年春 オンライン配信',
	'Webinar: "How we moved 40 TB of recordings without downtime" (rehearsal)',
];

describe.each([
	['Event Updated', false],
	['Event Deleted', true],
])('the state of %s', (_name, withIdentity) => {
	it('has at most 120 bytes per event, and is the same after JSON', () => {
		const events = Array.from({ length: 1_000 }, (_, number) => {
			const identity = { hash: number.toString(16).padStart(32, 'c5'), eventId: 400_000 + number };
			const content = {
				title: `${TITLES[number % TITLES.length]} ${number}`,
				dateScheduled: new Date(Date.UTC(2026, 0, 1) + number * 3_600_000)
					.toISOString()
					.slice(0, 19)
					.replace('T', ' '),
			};
			return {
				identity: eventIdentity(identity),
				value: pack({ ...content, ...(withIdentity ? identity : {}) }),
				record: content,
			};
		});
		const { known } = compare([], events);
		const state = { ...emptyPollState('scope'), known };
		const json = JSON.stringify(serializePollState(state));
		const bytes = Buffer.byteLength(json);
		expect(bytes).toBeLessThanOrEqual(120 * events.length);
		const restored = parsePollState(JSON.parse(json));
		const { compared } = compare(restored?.known ?? [], events);
		expect(compared.every(({ previousValue, value }) => previousValue === value)).toBe(true);
	});
});
