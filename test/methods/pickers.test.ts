import { NodeHelpers, type INodeParameters } from 'n8n-workflow';

import { uploadFolderField } from '../../nodes/VideoHosting/actions/upload/fields';
import { by, run } from '../actions/run';
import { loadEvents, loadPicker } from '../execution/loadPicker';
import { nodeOf } from '../execution/workflowOfOneNode';
import { answer, service, serviceForEachTest } from '../fakeService/serviceForEachTest';

serviceForEachTest();

type Picker = Parameters<typeof loadPicker>[0];
/** The first entries of a list, with what is typed and the other parameters of the node. */
async function shown(picker: Picker, filter?: string, parameters?: INodeParameters) {
	const { results } = await loadPicker(picker, { service, filter, parameters });
	return results.map(({ name, value }) => ({ name, value }));
}
/** The values of each page, as the editor loads them while the user scrolls. */
async function scrolled(picker: Picker): Promise<unknown[][]> {
	const pages: unknown[][] = [];
	let paginationToken: string | undefined;
	do {
		const { results, ...next } = await loadPicker(picker, { service, paginationToken });
		pages.push(results.map(({ value }) => value));
		paginationToken = next.paginationToken;
	} while (paginationToken !== undefined);
	return pages;
}

it('The list of events shows all of them, the latest first, 100 and then twice as many, and any one when its title is typed, however its accents are written', async () => {
	Object.assign(service.settings, { firstEventPage: 0, pageSizeCap: 30, pageSizeLimit: 50 });
	const events = service.seedEvents([{ title: 'Réunion'.normalize('NFD') }, ...Array<object>(450).fill({})]);
	const hashes = events.map(({ hash }) => hash).reverse();
	const pages = [hashes.slice(0, 100), hashes.slice(100, 200), hashes.slice(200, 400), hashes.slice(400)];
	expect(await scrolled('searchEvents')).toEqual(pages);
	expect(await shown('searchEvents', ' réu '.normalize('NFC'))).toMatchObject([{ value: events[0]?.hash }]);
	expect(await shown('searchEvents', 'nothing like it')).toEqual([]);
});

it('The list of events uses the Plan ID that stands in the node, else that of the credential', async () => {
	service.seedEvents([{ planId: 'plan-2002', hash: 'other' }, { hash: 'default' }]);
	const other = await shown('searchEvents', undefined, { options: { planId: 'plan-2002' } });
	expect(other).toMatchObject([{ value: 'other' }]);
	const own = await shown('searchEvents', undefined, { options: { planId: '' } });
	expect(own).toMatchObject([{ value: 'default' }]);
});

it.each<Picker>(['searchEvents', 'searchFolders', 'searchOptionalFolders', 'searchVideos'])(
	'A list that is rejected says why, and its status: %s',
	async (picker) => {
		for (const on of ['eventSearchAll', 'folderList', 'videoList'] as const)
			answer(on, { error: 'No access' }, { status: 403, times: 9 });
		await expect(shown(picker)).rejects.toMatchObject({
			message: 'No access.',
			description: expect.stringMatching(/^Check email/) as string,
			httpCode: '403',
		});
	},
);

it('The lists leave out what cannot be picked, and need neither names nor dates', async () => {
	answer('folderList', [{ uuid: 'a', name: 'Events' }, { uuid: 'b' }, { name: 'Webinars' }]);
	expect(await shown('searchFolders')).toMatchObject([{ name: 'Events' }, { name: 'Folder without a name' }]);
	answer('eventSearchAll', [{ title: 'no hash' }, { hash: 'abc' }]);
	for (const load of [() => shown('searchEvents'), () => loadEvents(service)])
		expect(await load()).toEqual([{ name: 'abc', value: 'abc' }]);
});

it('The events of the multi-select are all of the plan by title and local time, the latest first, without the secret', async () => {
	service.settings.pageSizeCap = 10;
	const events = service.seedEvents([
		{ title: 'Town hall', dateScheduled: '2020-01-05 12:30:00' },
		...Array<object>(25).fill({}),
		{ title: 'Launch', dateScheduled: '2040-02-05T09:00:00Z' },
	]);
	const options = await loadEvents(service);
	expect([options[0], options.at(-1), options.length]).toEqual([
		{ name: 'Launch (2040-02-05 10:00 Europe/Berlin)', value: events.at(-1)?.hash },
		{ name: 'Town hall (2020-01-05 12:30)', value: events[0]?.hash },
		27,
	]);
	expect(JSON.stringify(options)).not.toContain(service.settings.plans['plan-1001']);
});

it('The list of videos shows all by name and local time, the newest first, 100 at a time, and lets the service search for what is typed', async () => {
	const day = (n: number) => ({ createdDate: new Date(Date.UTC(2030, 0, 1 + n)).toISOString() });
	const videos = service.seedVideos([...Array(120).keys()].map(day));
	const hashes = videos.map(({ hash }) => hash).reverse();
	expect(await scrolled('searchVideos')).toEqual([hashes.slice(0, 100), hashes.slice(100)]);
	service.seedVideos([{ name: 'Interview.mp4', hash: 'interview', createdDate: '2020-07-01T09:15:30Z' }]);
	const found = { name: 'Interview.mp4 (2020-07-01 11:15 Europe/Berlin)', value: 'interview' };
	expect(await shown('searchVideos', ' interview ')).toEqual([found]);
	expect(service.requestsOf('videoList').at(-1)?.query.name).toBe('interview');
});

it('The list of videos names the folder of each that shows one, or its UUID when the folders cannot be read', async () => {
	const [year] = service.seedFolders([{ name: '2026' }]);
	const [month] = service.seedFolders([{ name: 'January', parentId: year?.id }]);
	const folders = [{ folder_uuid: month?.uuid }, { folder_id: year?.id }, { gallery: 'Elsewhere' }, {}];
	answer(
		'videoList',
		folders.map((folder, n) => ({ hash: `v${n}`, name: 'a.mp4', ...folder })),
	);
	const names = async () => (await shown('searchVideos')).map(({ name }) => name);
	expect(await names()).toEqual([
		'a.mp4 (in 2026 / January)',
		'a.mp4 (in 2026)',
		'a.mp4 (in Elsewhere)',
		'a.mp4',
	]);
	answer('folderList', { error: 'No' }, { status: 400 });
	expect(await names()).toEqual([`a.mp4 (in ${month?.uuid})`, 'a.mp4', 'a.mp4 (in Elsewhere)', 'a.mp4']);
});

it('The list of folders shows each after all that it is in, and is filtered by what is typed', async () => {
	const [events, year, month, loop] = service.seedFolders(
		['Events', '2026', 'January', 'Loop'].map((name) => ({ name })),
	);
	Object.assign(year ?? {}, { parentId: events?.id });
	Object.assign(month ?? {}, { parentId: year?.id });
	Object.assign(loop ?? {}, { parentId: loop?.id });
	expect(await shown('searchFolders')).toEqual([
		{ name: 'Events', value: events?.uuid },
		{ name: 'Events / 2026', value: year?.uuid },
		{ name: 'Events / 2026 / January', value: month?.uuid },
		{ name: 'Loop', value: loop?.uuid },
	]);
	expect(await shown('searchFolders', '2026 / JAN')).toMatchObject([{ value: month?.uuid }]);
});

it('The list of folders of an upload begins with No Folder, unless something else is typed; the panel and the node accept it', async () => {
	const [webinars] = service.seedFolders([{ name: 'Webinars' }]);
	const found = { name: 'Webinars', value: webinars?.uuid };
	const none = { name: 'No Folder', value: '' };
	expect(await shown('searchOptionalFolders')).toEqual([none, found]);
	expect(await shown('searchOptionalFolders', 'no ')).toEqual([none]);
	expect(await shown('searchOptionalFolders', 'web')).toEqual([found]);
	const folder = by('list', '');
	const node = nodeOf('videoHosting', {});
	expect(NodeHelpers.getParameterIssues(uploadFolderField, { folder }, '', node, null)).toEqual({});
	await run({ resource: 'upload', operation: 'create', fileName: 'a.mp4', size: 1, folder });
	expect(service.state.uploads).toMatchObject([{ filename: 'a.mp4', folder: null }]);
});
