import { loadTriggerOptions } from '../execution/loadTriggerOptions';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started), { pageSizeCap: 10 });

describe('the events of the multi-select', () => {
	it('are named by title and local time, the latest first, and have the hash as value', async () => {
		const [first, second] = service.seedEvents([
			{ title: 'Town hall', dateScheduled: '2030-01-05 12:30:00' },
			{ title: 'Launch', dateScheduled: '2030-02-05T09:00:00Z' },
		]);
		const options = await loadTriggerOptions('getEvents', service, {}, 'Europe/Berlin');
		expect(options).toEqual([
			{ name: 'Launch (2030-02-05 10:00 Europe/Berlin)', value: second?.hash },
			{ name: 'Town hall (2030-01-05 12:30)', value: first?.hash },
		]);
	});

	it('are those of the Plan ID in the node', async () => {
		service.seedEvents([{ planId: 'plan-2002', title: 'Other plan' }, { title: 'Default plan' }]);
		const titles = async (planId: string) =>
			(await loadTriggerOptions('getEvents', service, { options: { planId } })).map(
				({ name }) => name.split(' (')[0],
			);
		expect(await titles('plan-2002')).toEqual(['Other plan']);
		expect(await titles('')).toEqual(['Default plan']);
	});

	it('are all of a plan with several pages, each once, and contain no plan secret', async () => {
		const events = service.seedEvents(35);
		const options = await loadTriggerOptions('getEvents', service);
		expect(options.map(({ value }) => value).sort()).toEqual(events.map(({ hash }) => hash).sort());
		expect(JSON.stringify(options)).not.toContain(service.settings.plans['plan-1001']);
	});

	it('are read in the documented order when the service rejects the other one', async () => {
		service.seedEvents(3);
		service.injectFault({ kind: 'status', on: 'eventSearchAll', status: 400, error: 'Bad Request' });
		expect(await loadTriggerOptions('getEvents', service)).toHaveLength(3);
	});
});
