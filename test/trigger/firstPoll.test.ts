import { KINDS } from '../../nodes/VideoHosting/trigger/kinds';
import { activeTrigger } from '../execution/pollNode';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { hashesOf, polls } from './watchedPlan';

let service: RunningService;
serviceForEachTest((started) => (service = started), { pageSizeCap: 10, defaultPageSize: 10 });

const SILENT = Object.keys(KINDS).filter((value) => value !== 'eventStartsSoon');

it.each(SILENT)(
	'%s reports nothing of what was there when the first list was empty by mistake',
	async (triggerOn) => {
		service.seedEvents([{ status: 'LIVE' }, {}, {}]);
		service.seedVideos(35);
		const on = triggerOn === 'videoAdded' ? 'videoList' : 'eventSearchAll';
		service.injectFault({ kind: 'status', on, status: 200, body: '[]', times: 2 });
		const trigger = await activeTrigger({ service, parameters: { triggerOn } });
		await trigger.poll();
		service.clearFaults();
		expect(await polls(trigger, 3)).toEqual([]);
	},
);

it.each(['eventCreated', 'videoAdded'])(
	'a plan that is empty when it is published is confirmed by the next poll: %s then reports all',
	async (triggerOn) => {
		const trigger = await activeTrigger({ service, parameters: { triggerOn } });
		expect(await polls(trigger, 2)).toEqual([]);
		const added = triggerOn === 'eventCreated' ? service.seedEvents(60) : service.seedVideos(60);
		expect(hashesOf(await trigger.poll())?.sort()).toEqual(added.map(({ hash }) => hash).sort());
		expect(await trigger.poll()).toBeNull();
	},
);

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
