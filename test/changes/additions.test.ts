import * as fc from 'fast-check';

import {
	additions,
	LOOK_BACK_MS,
	recentAdditions,
	type RecentState,
} from '../../nodes/VideoHosting/changes/additions';

const HOUR_MS = 3_600_000;
const start = Date.UTC(2026, 0, 1);
const reading = (key: string, created?: number) => ({ key, created, record: key });

describe('records listed for the first time', () => {
	it('are told exactly once, whatever disappears, comes back or is listed twice', () => {
		const listings = fc.array(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 15 }), {
			maxLength: 15,
		});
		fc.assert(
			fc.property(listings, (polls) => {
				let known: ReadonlyMap<string, string> = new Map();
				const told: string[] = [];
				for (const listed of polls) {
					const { added, next } = additions(
						known,
						listed.map((number) => reading(`event-${number}`)),
					);
					told.push(...added);
					known = next;
				}
				const firstTimes = [...new Set(polls.flat())].map((number) => `event-${number}`);
				expect(told).toEqual(firstTimes);
			}),
		);
	});
});

describe('records listed for the first time, of a list read from its newest one', () => {
	/** Videos appear one after the other, each created some time ago; a poll may see part of them, or run out of time. */
	const appearing = fc.array(
		fc.record({
			videos: fc.array(fc.record({ laterBy: fc.nat({ max: 72 }), createdBefore: fc.nat({ max: 40 }) }), {
				maxLength: 5,
			}),
			ended: fc.boolean(),
		}),
		{ maxLength: 15 },
	);

	it('are told exactly once while they appear within the time that is looked back', () => {
		fc.assert(
			fc.property(appearing, (polls) => {
				let memory: RecentState = { knownItems: new Map() };
				let now = start;
				const all: Array<ReturnType<typeof reading>> = [];
				const told: string[] = [];
				for (const { videos, ended } of polls) {
					for (const { laterBy, createdBefore } of videos) {
						now += laterBy * HOUR_MS;
						all.push(reading(`video-${all.length}`, now - createdBefore * HOUR_MS));
					}
					const { added, next } = recentAdditions(memory, all, { ended, now });
					told.push(...added);
					memory = next;
				}
				const seen = polls.flatMap(({ videos }) => videos).length;
				expect([...told].sort()).toEqual(all.map(({ key }) => key).sort());
				expect(new Set(told).size).toBe(seen);
			}),
		);
	});

	it('need a memory of the recent ones only', () => {
		const days = Array.from({ length: 1000 }, (_, day) =>
			reading(`video-${day}`, start + day * 24 * HOUR_MS),
		);
		const { next } = recentAdditions({ knownItems: new Map() }, days, {
			ended: true,
			now: start + 24_000 * HOUR_MS,
		});
		expect(next.knownItems.size).toBeLessThanOrEqual(4);
	});

	it('are not what is older than the part of the list that was read at the baseline', () => {
		const now = start + 1000 * HOUR_MS;
		const { next } = recentAdditions({ knownItems: new Map() }, [reading('new', now)], { ended: true, now });
		const old = reading('old', now - LOOK_BACK_MS - 1);
		expect(recentAdditions(next, [old], { ended: true, now }).added).toEqual([]);
	});

	it('are not lost when a poll ran out of time before it had read them', () => {
		const now = start + 1000 * HOUR_MS;
		const baseline = recentAdditions({ knownItems: new Map() }, [reading('first', start)], {
			ended: true,
			now,
		});
		const cut = recentAdditions(baseline.next, [reading('newest', now)], { ended: false, now });
		const rest = recentAdditions(cut.next, [reading('newest', now), reading('older', start + HOUR_MS)], {
			ended: true,
			now,
		});
		expect([...cut.added, ...rest.added]).toEqual(['newest', 'older']);
	});

	it('are told although one record is dated in the far future', () => {
		const now = start;
		const wrongClock = reading('wrong clock', Date.UTC(2099, 0, 1));
		const { next } = recentAdditions({ knownItems: new Map() }, [wrongClock], { ended: true, now });
		expect(recentAdditions(next, [wrongClock, reading('next', now + 1)], { ended: true, now }).added).toEqual(
			['next'],
		);
	});

	it('are told although no record says when it was created', () => {
		const { next } = recentAdditions({ knownItems: new Map() }, [reading('a')], { ended: true, now: start });
		expect(recentAdditions(next, [reading('b'), reading('a')], { ended: true, now: start }).added).toEqual([
			'b',
		]);
	});
});
