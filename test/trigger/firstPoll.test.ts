import { activeTrigger } from '../execution/pollNode';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { polls } from './watchedPlan';
import { sceneOf, seedLatest, SILENT } from './scenes';

serviceForEachTest({ pageSizeCap: 10, defaultPageSize: 10 });

describe('the first poll', () => {
	it.each(SILENT)('of %s records what there is, and the next change is reported once', async (triggerOn) => {
		seedLatest(service);
		const trigger = await activeTrigger({ service, parameters: { triggerOn } });
		expect(await polls(trigger, 3)).toEqual([]);
		const isEmpty = trigger.staticData().includes('"known":{}');
		expect(isEmpty ? `Add a record for ${triggerOn} to seedLatest() in test/trigger/scenes.ts` : '').toBe('');
		const item = sceneOf(triggerOn).change(service);
		expect(await polls(trigger, 4)).toEqual([expect.objectContaining(item)]);
	});

	it.each(SILENT)(
		'of %s reads an empty list once more, so that one false answer makes nothing new',
		async (triggerOn) => {
			const scene = sceneOf(triggerOn);
			const empty = await activeTrigger({ service, parameters: { triggerOn } });
			expect(await empty.poll()).toBeNull();
			const times = service.requestsOf(scene.list).length / 2;
			expect(Number.isInteger(times)).toBe(true);

			seedLatest(service);
			service.injectFault({ kind: 'status', on: scene.list, status: 200, body: '[]', times });
			const trigger = await activeTrigger({ service, parameters: { triggerOn } });
			expect(await polls(trigger, 3)).toEqual([]);
			const item = scene.change(service);
			expect(await polls(trigger, 4)).toEqual([expect.objectContaining(item)]);
		},
	);

	it.each(SILENT.filter((triggerOn) => sceneOf(triggerOn).isNew))(
		'of %s in an empty plan is a baseline: the first record is reported by the second poll',
		async (triggerOn) => {
			const trigger = await activeTrigger({ service, parameters: { triggerOn } });
			expect(await trigger.poll()).toBeNull();
			const item = sceneOf(triggerOn).change(service);
			expect(await trigger.poll()).toEqual([expect.objectContaining(item)]);
		},
	);
});

describe('other settings begin with a silent poll', () => {
	const watching = (parameters: object, staticData?: string) =>
		activeTrigger({ service, parameters: { triggerOn: 'eventUpdated', ...parameters }, staticData });

	it.each([
		{ triggerOn: 'eventStatusChanged' },
		{ options: { planId: 'plan-2002' } },
		{ options: { scheduledWithinDays: 9_999 } },
	])('%j, and again when they are taken back', async (other) => {
		const [event] = service.seedEvents([{ title: 'Before' }, {}]);
		service.seedEvents([{ planId: 'plan-2002' }]);
		const first = await watching({});
		await first.poll();
		if (event) event.title = 'After';
		const second = await watching(other, first.saved());
		expect(await second.poll()).toBeNull();
		const third = await watching({}, second.saved());
		expect(await third.poll()).toBeNull();
		if (event) event.title = 'Last';
		expect(await third.poll()).toMatchObject([{ title: 'Last', previous: { title: 'After' } }]);
	});
});
