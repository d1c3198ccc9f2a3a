import type { INodeParameters } from 'n8n-workflow';

import { KINDS } from '../../nodes/VideoHosting/trigger/kinds';
import { DAY_MS, dateIn } from '../execution/clock';
import { fetchTestEvent } from '../execution/pollNode';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { sceneOf, seedLatest, TRIGGER_ON } from './scenes';

serviceForEachTest({ pageSizeCap: 10 });

it.each(TRIGGER_ON)('Fetch Test Event for %s returns the latest or next record', async (triggerOn) => {
	const { sample } = sceneOf(triggerOn);
	await expect(fetchTestEvent({ service, parameters: { triggerOn } })).rejects.toThrow(
		`There is no ${KINDS[triggerOn]?.record} yet`,
	);
	Object.assign(service.settings, { videoOrderByIgnored: true, recordNames: 'snake_case' });
	seedLatest(service);
	const { items, staticData } = await fetchTestEvent({ service, parameters: { triggerOn } });
	expect(items).toEqual([expect.objectContaining(sample)]);
	expect(staticData).toBe('{}');
});

it.each<[INodeParameters, string[]]>([
	[{ toStatus: ['LIVE'] }, ['2040-01-01 10:00:00']],
	[{ triggerOn: 'eventStartsSoon' }, ['2020-01-01 10:00:00', '']],
])('Fetch Test Event says so when records exist and none matches: %j', async (parameters, dates) => {
	service.seedEvents(dates.map((dateScheduled) => ({ dateScheduled })));
	const running = fetchTestEvent({ service, parameters });
	await expect(running).rejects.toThrow('No event matches the parameters of this trigger');
});

it.each([
	['To Status', { toStatus: ['LIVE'] }, { dateScheduled: '2020-01-01 10:00:00', status: 'LIVE' as const }],
	['Scheduled Within Days', { options: { scheduledWithinDays: 2 } }, { dateScheduled: dateIn(DAY_MS) }],
])('Fetch Test Event keeps to %s', async (_option, parameters, wanted) => {
	seedLatest(service);
	const [event] = service.seedEvents([wanted]);
	const { items } = await fetchTestEvent({ service, parameters });
	expect(items).toMatchObject([{ ...wanted, hash: event?.hash }]);
});
