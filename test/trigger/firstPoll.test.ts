import { activeTrigger } from '../execution/pollNode';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { polls, watching } from './polling';
import { listOf, sceneOf, seedLatest, SILENT } from './scenes';

serviceForEachTest({ pageSizeCap: 10, defaultPageSize: 10 });

it.each(SILENT)(
	'The first poll of %s reads an empty list once more, so that one false answer makes nothing new; a plan that is empty is a baseline',
	async (triggerOn) => {
		const [scene, on] = [sceneOf(triggerOn), listOf(triggerOn)];
		const empty = await watching({ triggerOn });
		const times = service.requestsOf(on).length / 2;
		expect(Number.isInteger(times)).toBe(true);
		if (scene.isNew) {
			const first = scene.change(service);
			expect(await empty.poll()).toEqual([expect.objectContaining(first)]);
		}

		seedLatest(service);
		service.injectFault({ kind: 'status', on, status: 200, body: '[]', times });
		const trigger = await activeTrigger({ service, parameters: { triggerOn } });
		expect(await polls(trigger, 3)).toEqual([]);
		// Otherwise, add a record for it to seedLatest() in scenes.ts.
		expect(trigger.staticData()).not.toContain('"known":{}');
		const item = scene.change(service);
		expect(await polls(trigger, 4)).toEqual([expect.objectContaining(item)]);
	},
);

it.each([
	{ triggerOn: 'eventStatusChanged' },
	{ options: { planId: 'plan-2002' } },
	{ options: { scheduledWithinDays: 9_999 } },
])('Other settings begin with a silent poll, and again when they are taken back: %j', async (other) => {
	const [event] = service.seedEvents([{ title: 'Before' }, {}]);
	service.seedEvents([{ planId: 'plan-2002' }]);
	const parameters = { triggerOn: 'eventUpdated' };
	const first = await watching(parameters);
	if (event) event.title = 'After';
	const second = await watching({ ...parameters, ...other }, { staticData: first.saved() });
	const third = await watching(parameters, { staticData: second.saved() });
	if (event) event.title = 'Last';
	expect(await third.poll()).toMatchObject([{ title: 'Last', previous: { title: 'After' } }]);
});
