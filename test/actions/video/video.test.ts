import type { INodeParameters } from 'n8n-workflow';

import type { NodeRun } from '../../execution/executeNode';
import { answer, service, serviceForEachTest } from '../../fakeService/serviceForEachTest';
import { by, expectUnsent, requested, run } from '../run';

serviceForEachTest();

const operation = (name: string) => ({ resource: 'video', operation: name });
/** Every character that has a meaning in an address. */
const HOSTILE = 'a/b?c=d&e#f%2F+;g\\h"ü..';

it('Video → Get reads the list once for all items, in its default order when the service rejects the sort direction', async () => {
	const [{ hash = '' } = {}] = service.seedVideos(5);
	service.injectFault({ on: 'videoList', kind: 'status', status: 400, error: 'sort' });
	const items = [hash, 'a', 'b'].map((chosen) => ({ json: { chosen } }));
	const get = { ...operation('get'), video: by('hash', '={{ $json.chosen }}') };
	const output = await run(get, { items, onError: 'continueRegularOutput' });
	const advice = 'Check Video and Plan ID. A new video may take a while to be listed.';
	const error = (chosen: string) => `The plan plan-1001 has no video with the hash "${chosen}". ${advice}`;
	expect(output).toMatchObject([{ hash }, { error: error('a') }, { error: error('b') }]);
	expect(service.requestsOf('videoList').map(({ query }) => query.page)).toEqual(['1', '1', '2']);
});

it('Video → Delete By Name reads what the service finds by the name, not the whole list', async () => {
	service.seedVideos([...Array(500).keys()].map((n) => ({ name: `Video ${n}`, hash: `h${n}` })));
	const output = await run({ ...operation('delete'), video: by('name', 'Video 7') });
	expect(output).toMatchObject([{ deleted: true, name: 'Video 7', hash: 'h7' }]);
	expect(requested()).toEqual(['videoList', 'videoList', 'videoDelete']);
});

describe('Video → Get Many', () => {
	const getMany = async (filters: INodeParameters, more?: Partial<NodeRun>) =>
		await run({ ...operation('getAll'), filters }, more);
	const sentQuery = () => service.requestsOf('videoList')[0]?.query;

	it.each([
		['2026-05-02', '2026-05-01'],
		['2026-05-01 10:01', '2026-05-01T10:00'],
		['2026-05-04 10:00', '2026-05-01'],
		['2026-05-04', '2026-05-01 10:00'],
	])('rejects a range that is reversed before any request: %s to %s', async (initialDate, endDate) => {
		const message = 'Created From must not be later than Created Until';
		await expectUnsent(getMany({ initialDate, endDate }), message);
	});

	it.each([
		['may exist in some zone', '2026-05-02 10:00', '2026-05-01'],
		['is one moment', '2026-05-01 10:00', '2026-05-01 10:00'],
	])('accepts a range that %s: %s to %s', async (_what, initialDate, endDate) => {
		expect(await getMany({ initialDate, endDate })).toEqual([]);
	});

	it('sends every filter and the order in the query', async () => {
		const filters = { name: '.mp4', initialDate: '2026-01-01', endDate: '2026-12-31' };
		const options = { orderBy: 'name', sort: 'DESC' };
		await run({ ...operation('getAll'), filters, options });
		expect(sentQuery()).toEqual({ ...filters, ...options, page: '1' });
	});

	it.each([
		[{ initialDate: '2026-01-01' }, '2026-01-01'],
		[{ initialDate: '2026-01-02T6:00' }, '2026-01-01 05:00:00'],
		[{ initialDate: Date.UTC(2026, 0, 2, 5) }, '2026-01-01 05:00:00'],
		// The clock of the workflow skips this time.
		[{ initialDate: '2026-03-30 02:30' }, '2026-03-29 00:30:00'],
	])('sends the date filter %j, a time in UTC and a day wider, as %s', async (filters, sent) => {
		await getMany(filters);
		expect(sentQuery()).toEqual({ page: '1', [Object.keys(filters)[0] ?? '']: sent });
	});

	const initialDate = '2026-05-01T12:00:00+02:00';
	const endDate = '2026-05-01T14:00:00';
	it.each([
		[{ initialDate, endDate }, ['h1', 'h2']],
		[{ initialDate }, ['h1', 'h2', 'h3']],
		[{ endDate }, ['h0', 'h1', 'h2']],
	])('returns the videos that were created within %j, if any of them shows when', async (filters, hashes) => {
		const dates = ['2026-05-01T09:59:59Z', '2026-05-01 10:00:00', '1777636800000', '2026-05-01T12:00:01Z'];
		const records = [...dates, '01/05/2026'].map((createdDate, hash) => ({ hash: `h${hash}`, createdDate }));
		answer('videoList', records, { times: 1 });
		expect((await getMany(filters)).map(({ hash }) => hash)).toEqual(hashes);
		answer('videoList', records.slice(4), { times: 1 });
		await expect(getMany(filters)).rejects.toThrow(/^No video that was read has a readable date/);
	});

	it('returns videos whose record shows only a day that is partly in the range', async () => {
		service.settings.videoDates = 'day';
		service.seedVideos([{ hash: 'v1', createdDate: '2026-05-01T15:00:00.000Z' }]);
		const found = await getMany({ initialDate: '2026-05-01T00:00:00' }, { timezone: 'America/New_York' });
		expect(found).toMatchObject([{ hash: 'v1' }]);
		expect(await getMany({ initialDate: '2026-05-02T10:00:00' })).toEqual([]);
	});
});

it('A plan and a hash from outside stay in their places of the path', async () => {
	const planId = `${HOSTILE} plan`;
	service.settings.plans[planId] = 's';
	service.seedVideos([{ hash: HOSTILE, planId }]);
	await run({ ...operation('delete'), options: { planId }, video: by('hash', HOSTILE) });
	const [sent] = service.requestsOf('videoDelete');
	expect(sent?.status).toBe(200);
	expect(sent?.path.split('/').slice(-2)).toEqual([HOSTILE, planId].map(encodeURIComponent));
});

it.each([
	['..', '%252E%252E'],
	['.', '%252E'],
])('A plan and a hash from outside cannot leave the path: %s', async (segment, sent) => {
	const options = { planId: segment };
	const removal = run({ ...operation('delete'), options, video: by('hash', segment) });
	await expect(removal).rejects.toThrow(/^Plan not found/);
	expect(service.requests[1]?.path).toBe(`/v1/videos/deleteVideo/${sent}/${sent}`);
});
