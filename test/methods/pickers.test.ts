import { NodeApiError, type INodeListSearchItems } from 'n8n-workflow';
import assert from 'node:assert/strict';

import { TIME_ZONES } from '../../nodes/VideoHosting/parameters/timeZones';
import { executeNode } from '../execution/executeNode';
import { loadEvents, loadPicker } from '../execution/loadPicker';
import { withKnownPaging } from '../execution/knownPaging';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = withKnownPaging(started)));

type Picker = Parameters<typeof loadPicker>[0];

/** Everything that the editor shows when a person scrolls to the end of the list. */
async function scrolledToTheEnd(picker: Picker, filter?: string): Promise<INodeListSearchItems[]> {
	const shown: INodeListSearchItems[] = [];
	let paginationToken: unknown;
	do {
		const page = await loadPicker(picker, { service, filter, paginationToken });
		shown.push(...page.results);
		paginationToken = page.paginationToken;
	} while (paginationToken !== undefined);
	return shown;
}

describe('The list of events', () => {
	it('loads page by page, each only when the person scrolls', async () => {
		service.settings.pageSizeCap = 10;
		const events = service.seedEvents(25);
		const first = await loadPicker('searchEvents', { service });
		const hashes = events.map(({ hash }) => hash).reverse();
		expect(first.results.map(({ value }) => value)).toEqual(hashes.slice(0, 10));
		expect(service.requestsOf('eventSearchAll')).toHaveLength(1);

		const all = await scrolledToTheEnd('searchEvents');
		expect(all.map(({ value }) => value)).toEqual(hashes);
	});

	it('searches on until something matches what the person typed', async () => {
		service.settings.pageSizeCap = 10;
		const events = service.seedEvents(
			[...Array(35).keys()].map((n) => ({ title: n === 31 ? 'Board Meeting' : `Talk ${n}` })),
		);
		const { results } = await loadPicker('searchEvents', { service, filter: ' board ' });
		expect(results.map(({ value }) => value)).toEqual([events[31]?.hash]);
		expect(await scrolledToTheEnd('searchEvents', 'nothing like it')).toEqual([]);
	});

	it('uses the Plan ID that stands in the node, else that of the credential', async () => {
		service.seedEvents([{ planId: 'plan-2002', title: 'Other plan' }, { title: 'Default plan' }]);
		const titles = async (planId: string | number) => {
			const { results } = await loadPicker('searchEvents', { service, parameters: { options: { planId } } });
			return results.map(({ name }) => name.split(' (')[0]);
		};
		expect(await titles('plan-2002')).toEqual(['Other plan']);
		expect(await titles('')).toEqual(['Default plan']);
	});

	it('reports a missing plan', async () => {
		const noPlan = { credential: { ...service.credential, planId: '' } };
		await expect(loadPicker('searchEvents', { service: noPlan })).rejects.toMatchObject({
			name: 'NodeApiError',
			message: 'Plan ID is missing',
			description: 'Enter it in the credential, or add the option Plan ID to this node.',
		});
	});

	it('gives the advice of a run, with the plan as it is spelled', async () => {
		const parameters = { options: { planId: 'plan-none' } };
		const run = executeNode({
			service,
			parameters: { resource: 'event', operation: 'getAll', ...parameters },
		});
		const ofRun: unknown = await run.catch((error: unknown) => error);
		const ofList: unknown = await loadPicker('searchEvents', { service, parameters }).catch(
			(error: unknown) => error,
		);
		assert(ofRun instanceof NodeApiError && ofList instanceof NodeApiError);
		expect(ofRun.message).toContain('"plan-none"');
		// The editor shows a message without its hyphens, but not without these.
		expect(ofList.message).toBe(ofRun.message.replaceAll('-', '\u2011'));
		expect(ofList.description).toBe(ofRun.description);
	});

	it('leaves out what cannot be picked', async () => {
		const body = '[{"title":"no hash"},{"hash":"abc"}]';
		service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 200, body });
		const { results } = await loadPicker('searchEvents', { service });
		expect(results).toEqual([{ name: 'abc', value: 'abc' }]);
	});
});

describe('The events of the multi-select', () => {
	it('are named by title and local time, the latest first, and have the hash as value', async () => {
		const [first, second] = service.seedEvents([
			{ title: 'Town hall', dateScheduled: '2030-01-05 12:30:00' },
			{ title: 'Launch', dateScheduled: '2030-02-05T09:00:00Z' },
		]);
		const options = await loadEvents(service);
		expect(options).toEqual([
			{ name: 'Launch (2030-02-05 10:00 Europe/Berlin)', value: second?.hash },
			{ name: 'Town hall (2030-01-05 12:30)', value: first?.hash },
		]);
	});

	it('are all of a plan with several pages, each once, and contain no plan secret', async () => {
		service.settings.pageSizeCap = 10;
		const events = service.seedEvents(35);
		const options = await loadEvents(service);
		expect(options.map(({ value }) => value).sort()).toEqual(events.map(({ hash }) => hash).sort());
		expect(JSON.stringify(options)).not.toContain(service.settings.plans['plan-1001']);
	});
});

describe('The list of videos', () => {
	it('loads page by page and lets the service search', async () => {
		const videos = service.seedVideos(
			[...Array(45).keys()].map((n) => ({ createdDate: new Date(Date.UTC(2030, 0, 1 + n)).toISOString() })),
		);
		expect((await scrolledToTheEnd('searchVideos')).map(({ value }) => value)).toEqual(
			videos.map(({ hash }) => hash).reverse(),
		);

		service.seedVideos([{ name: 'Interview.mp4', hash: 'interview' }]);
		expect(await scrolledToTheEnd('searchVideos', 'interview')).toEqual([
			{ name: expect.stringMatching(/^Interview\.mp4 \(/), value: 'interview' },
		]);
		expect(service.requestsOf('videoList').at(-1)).toMatchObject({
			query: { name: 'interview', page: '2' },
			body: { payload: { planId: 'plan-1001' } },
		});
	});

	it('distinguishes videos of one name by local time and folder, the newest first, and shows them without folders where these cannot be read', async () => {
		const [folder] = service.seedFolders([{ name: 'Webinars' }]);
		service.seedVideos([
			{ name: 'Talk.mp4', hash: 'first', createdDate: '2026-03-01T09:15:30.000Z', folder: folder?.uuid },
			{ name: 'Talk.mp4', hash: 'second', createdDate: '2026-07-02T10:20:30.000Z', folder: null },
		]);
		const second = { name: 'Talk.mp4 (2026-07-02 12:20 Europe/Berlin)', value: 'second' };
		expect(await scrolledToTheEnd('searchVideos')).toEqual([
			second,
			{ name: 'Talk.mp4 (2026-03-01 10:15 Europe/Berlin, Webinars)', value: 'first' },
		]);
		service.injectFault({ on: 'folderList', kind: 'status', status: 403, error: 'Not for you', times: 9 });
		expect(await scrolledToTheEnd('searchVideos')).toEqual([
			second,
			{ name: 'Talk.mp4 (2026-03-01 10:15 Europe/Berlin)', value: 'first' },
		]);
	});
});

describe('The list of folders', () => {
	it('comes in one request and is filtered by what the person types', async () => {
		const [concerts, webinars] = service.seedFolders([{ name: 'Concerts' }, { name: 'Webinars' }]);
		expect(await scrolledToTheEnd('searchFolders')).toEqual([
			{ name: 'Concerts', value: concerts?.uuid },
			{ name: 'Webinars', value: webinars?.uuid },
		]);
		expect(await scrolledToTheEnd('searchFolders', 'WEB')).toEqual([
			{ name: 'Webinars', value: webinars?.uuid },
		]);
		expect(service.requestsOf('folderList')).toHaveLength(2);
	});
});

describe.each<Picker>(['searchEvents', 'searchVideos'])('A list that never ends by itself: %s', (picker) => {
	it.each([
		['ignores the page number', { pageNumberIgnored: true }],
		['returns the last page again and again', { pastLastPage: 'lastPage' }],
		['returns 404 after the last page', { emptyList: '404' }],
	] as const)('ends for the person when the service %s', async (_what, settings) => {
		Object.assign(service.settings, settings);
		service.seedEvents(15);
		service.seedVideos(15);
		const shown = await scrolledToTheEnd(picker);
		expect(shown).toHaveLength(15);
	});
});

it('The list of time zones has the one of the workflow, UTC and the names that workflow settings have', () => {
	const zones = TIME_ZONES;
	expect(zones.slice(0, 2)).toEqual([
		{ name: 'Workflow Time Zone', value: 'workflow' },
		{ name: 'UTC', value: 'UTC' },
	]);
	expect(zones.map(({ value }) => value)).toEqual(expect.arrayContaining(['Europe/Berlin', 'America/Lima']));
	expect(new Set(zones.map(({ value }) => value)).size).toBe(zones.length);
});
