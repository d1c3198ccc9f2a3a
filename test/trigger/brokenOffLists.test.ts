import fc from 'fast-check';

import { withKnownPaging } from '../execution/knownPaging';
import { activeTrigger } from '../execution/pollNode';
import { startService } from '../fakeService';

/** A later page that is rejected or empty for a while, although there are more records. */
const breaks = fc.array(
	fc.record({
		page: fc.integer({ min: 2, max: 4 }),
		response: fc.constantFrom(
			{ status: 400, error: 'Bad Request' },
			{ status: 404, error: 'Not Found' },
			{ status: 422, error: 'Unprocessable' },
			{ status: 200, body: '' },
			{ status: 200, body: 'null' },
			{ status: 200, body: '[]' },
			{ status: 204, body: '' },
		),
	}),
	{ minLength: 1, maxLength: 6 },
);

it.each([
	['eventStatusChanged', 'eventSearchAll'],
	['eventCreated', 'eventSearchAll'],
	['videoAdded', 'videoList'],
] as const)('%s loses and repeats nothing when lists break off', async (triggerOn, on) => {
	await fc.assert(
		fc.asyncProperty(breaks, async (polls) => {
			const service = withKnownPaging(await startService({ pageSizeCap: 10, defaultPageSize: 10 }));
			const events = service.seedEvents(35);
			service.seedVideos(35);
			const trigger = await activeTrigger({ service, parameters: { triggerOn } });
			await trigger.poll();
			const expected: string[] = [];
			const reported: unknown[] = [];
			const poll = async () => reported.push(...((await trigger.poll()) ?? []).map(({ hash }) => hash));
			for (const [index, { page, response }] of polls.entries()) {
				// At the end of the list, so that the readings that break off do not see it.
				const event = events[events.length - 1 - index];
				if (triggerOn === 'eventStatusChanged') {
					service.setEventStatus(event?.hash ?? '', 'LIVE');
					expected.push(event?.hash ?? '');
				} else {
					const [added] = triggerOn === 'eventCreated' ? service.seedEvents(1) : service.seedVideos(1);
					expected.push(added?.hash ?? '');
				}
				service.injectFault({ on, kind: 'status', ...response, skip: page - 1 });
				await poll();
				service.clearFaults();
			}
			await poll();
			await poll();
			expect(reported.sort()).toEqual(expected.sort());
			await service.close();
		}),
		{ numRuns: 12 },
	);
});
