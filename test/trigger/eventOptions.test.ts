import { activeTrigger } from '../execution/pollNode';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));

const hashes = (items: Array<{ hash?: unknown }> | null) => items?.map(({ hash }) => hash);

describe('the option Events', () => {
	it('requests these events and no other', async () => {
		const [first, second, third] = service.seedEvents(500);
		const parameters = { options: { events: ` ${second?.hash}, ${first?.hash},${first?.hash}` } };
		const trigger = await activeTrigger({ service, parameters });
		await trigger.poll();
		for (const event of [first, second, third]) service.setEventStatus(event?.hash ?? '', 'LIVE');
		const items = await trigger.poll();

		expect(hashes(items)).toEqual([first?.hash, second?.hash]);
		expect(service.requestsOf('eventSearchAll')).toHaveLength(0);
		expect(service.requestsOf('eventSearchByHash')).toHaveLength(4);
	});

	it('accepts a list and a text with commas as the same settings', async () => {
		const events = service.seedEvents(3);
		const [first, second] = events.map(({ hash }) => hash);
		const saved = await activeTrigger({
			service,
			parameters: { options: { events: `${second}, ${first}` } },
		});
		await saved.poll();
		service.setEventStatus(first ?? '', 'LIVE');
		const selected = await activeTrigger({
			service,
			parameters: { options: { events: [first ?? '', second ?? ''] } },
			staticData: saved.saved(),
		});
		expect(hashes(await selected.poll())).toEqual([first]);
		expect(service.requestsOf('eventSearchAll')).toHaveLength(0);
	});
});

describe('the option Scheduled Within Days', () => {
	const inHours = (hours: number) =>
		new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
	const parameters = { options: { scheduledWithinDays: 2 } };

	it('watches the events around now, and no other', async () => {
		const events = service.seedEvents(
			[-60, -47, 0, 47, 60].map((hours) => ({ dateScheduled: inHours(hours) })),
		);
		const trigger = await activeTrigger({ service, parameters });
		await trigger.poll();
		for (const { hash } of events) service.setEventStatus(hash, 'LIVE');
		expect(hashes(await trigger.poll())).toEqual(events.slice(1, 4).map(({ hash }) => hash));
	});

	it('interprets a date without a zone in the zone of the workflow', async () => {
		// 44 hours ahead of the clock in UTC: 39 hours from now in Karachi (UTC+5), 54 in Honolulu (UTC-10).
		const [event] = service.seedEvents([{ dateScheduled: inHours(44) }]);
		const karachi = await activeTrigger({ service, parameters, timezone: 'Asia/Karachi' });
		await karachi.poll();
		const honolulu = await activeTrigger({ service, parameters, timezone: 'Pacific/Honolulu' });
		await honolulu.poll();
		service.setEventStatus(event?.hash ?? '', 'LIVE');
		expect(await karachi.poll()).toHaveLength(1);
		expect(await honolulu.poll()).toBeNull();
	});

	it('uses the offset that the zone has on the day of the event', async () => {
		// Berlin puts the clock forward on 2026-03-29: on the 28th it is UTC+1, on the 30th UTC+2.
		const now = jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 2, 28, 12, 0));
		try {
			const inside = ['2026-03-30 13:30:00', '2026-03-26 13:30:00'];
			const outside = ['2026-03-30 14:30:00', '2026-03-26 12:30:00'];
			const events = service.seedEvents([...inside, ...outside].map((dateScheduled) => ({ dateScheduled })));
			const trigger = await activeTrigger({ service, parameters, timezone: 'Europe/Berlin' });
			await trigger.poll();
			for (const { hash } of events) service.setEventStatus(hash, 'LIVE');
			const items = await trigger.poll();
			expect(items?.map(({ dateScheduled }) => dateScheduled).sort()).toEqual([...inside].sort());
		} finally {
			now.mockRestore();
		}
	});

	it('keeps what it knows of an event that is out of the range for a while', async () => {
		const [event] = service.seedEvents([{ dateScheduled: inHours(5) }, { dateScheduled: inHours(6) }]);
		if (!event) throw new Error('no event');
		const trigger = await activeTrigger({ service, parameters });
		await trigger.poll();
		event.dateScheduled = inHours(500);
		expect(await trigger.poll()).toBeNull();
		event.dateScheduled = inHours(5);
		event.status = 'LIVE';
		expect(hashes(await trigger.poll())).toEqual([event.hash]);
	});

	it('fails when the records have no date', async () => {
		service.injectFault({
			kind: 'status',
			on: 'eventSearchAll',
			status: 200,
			body: JSON.stringify([{ hash: 'abc', status: 'LIVE' }]),
			times: 9,
		});
		const trigger = await activeTrigger({ service, parameters });
		await expect(trigger.poll()).rejects.toThrow(
			/no readable date, so Scheduled Within Days cannot be applied$/,
		);
	});
});
