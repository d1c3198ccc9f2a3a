import type { INodeParameters } from 'n8n-workflow';

import { activeTrigger } from '../execution/pollNode';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));

const locator = (value: string) => ({ __rl: true, mode: 'uuid', value });

describe.each(['={{ undefined }}', '={{ null }}', '={{ [].find(() => false) }}'])(
	'the expression %s',
	(expression) => {
		it.each<[string, INodeParameters]>([
			['Plan ID', { options: { planId: expression } }],
			['Event Names or IDs', { options: { events: expression } }],
			['Event Names or IDs', { triggerOn: 'eventDeleted', options: { events: expression } }],
			['Scheduled Within Days', { options: { scheduledWithinDays: expression } }],
			['Folder', { triggerOn: 'videoAdded', options: { folder: locator(expression) } }],
			['From Status', { fromStatus: expression }],
			['To Status', { toStatus: expression }],
			['Time Zone', { triggerOn: 'eventStartsSoon', options: { timezone: expression } }],
			['Minutes Before', { triggerOn: 'eventStartsSoon', minutesBefore: expression }],
		])('in %s is an error that names it, before anything is sent', async (name, parameters) => {
			service.seedEvents(1);
			const trigger = await activeTrigger({ service, parameters });
			const thrown: unknown = await trigger.poll().catch((error: unknown) => error);
			expect(String(thrown)).toContain(`${name} resolves to nothing`);
			expect(service.requests).toHaveLength(0);
		});
	},
);

it('fields that are left empty are empty', async () => {
	const [event] = service.seedEvents(2);
	const options = { planId: '', events: [], scheduledWithinDays: '' };
	const trigger = await activeTrigger({ service, parameters: { fromStatus: [], toStatus: '', options } });
	await trigger.poll();
	service.setEventStatus(event?.hash ?? '', 'LIVE');
	expect(await trigger.poll()).toMatchObject([{ hash: event?.hash }]);
});
