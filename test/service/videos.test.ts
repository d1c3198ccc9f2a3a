import { newestVideos, videosNamed } from '../../nodes/VideoHosting/service/videos';
import { executeContext } from '../execution/executeNode';
import { DAY_MS } from '../execution/clock';
import type { RunningService, ServiceSettings } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started), { defaultPageSize: 10 });

const contextOf = async () => (await executeContext({ service, parameters: {} })).context;
const START = Date.UTC(2026, 0, 1);
const seedDays = (days: number[]) =>
	service.seedVideos(days.map((day) => ({ createdDate: new Date(START + day * DAY_MS).toISOString() })));
const pagesRead = () => service.requestsOf('videoList').length;

describe('The newest videos of a plan', () => {
	it('are read no further than needed while the list comes newest first', async () => {
		seedDays([...Array(60).keys()]);
		const videos = await newestVideos(await contextOf(), 'plan-1001', START + 45 * DAY_MS);
		expect(videos).toHaveLength(20);
		expect(pagesRead()).toBe(2);
	});

	it.each<Partial<ServiceSettings>>([
		{ videoOrderByIgnored: true, videoOrder: 'oldestFirst' },
		{ videoOrderByIgnored: true, videoOrder: 'random' },
		{ videoDates: 'none' },
	])('are all of them where the dates do not show that order: %j', async (settings) => {
		Object.assign(service.settings, settings);
		seedDays([...Array(60).keys()]);
		expect(await newestVideos(await contextOf(), 'plan-1001', START + 45 * DAY_MS)).toHaveLength(60);
	});

	it('are all of them where all dates are the same', async () => {
		seedDays(Array<number>(30).fill(1));
		expect(await newestVideos(await contextOf(), 'plan-1001', START + 45 * DAY_MS)).toHaveLength(30);
	});
});

it('Videos of a name are found in each way to write its accents, each once', async () => {
	const name = 'Café';
	service.seedVideos([name.normalize('NFC'), name.normalize('NFD'), 'Other'].map((each) => ({ name: each })));
	const found = await videosNamed(await contextOf(), 'plan-1001', name);
	expect(found.map(({ name: given }) => (given as string).normalize('NFC'))).toEqual(['Café', 'Café']);
});
