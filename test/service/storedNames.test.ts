import { policies } from '../execution/policies';
import { by, runWithHints } from '../actions/run';
import type { ServiceSettings } from '../fakeService';
import { runWorkflow } from '../execution/runWorkflow';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { films, RETURNED, upload } from '../upload/uploading';

serviceForEachTest();

const LONG = 'Quarterly all-hands of the whole company in Berlin';
const CUT = LONG.slice(0, 40);
const options = { skipIfExists: true };

it.each<[Partial<ServiceSettings>, string, string]>([
	[{ namesCutAt: 40 }, LONG, CUT],
	[{ namesStripped: true }, '<Live> 🎉 gala.', 'Live  gala'],
])('A name stored otherwise with %j is in the output, with a hint', async (settings, sent, stored) => {
	Object.assign(service.settings, settings);
	const note = expect.stringContaining(`it was stored as "${stored}", so Skip If Exists cannot find it`);
	const event = { resource: 'event', operation: 'create', title: sent, dateScheduled: '2099-01-01 10:00' };
	const created = await runWithHints({ ...event, options });
	expect(created).toMatchObject({ output: [{ title: stored }], hints: [note] });
	const folder = await runWithHints({ resource: 'folder', operation: 'create', name: sent, options });
	expect(folder).toMatchObject({ output: [{ name: stored }], hints: [note] });
	const parameters = { folder: by('name', `${sent} 2`) };
	const titled = await upload(service, {
		title: sent,
		parameters,
		options: { ...options, createFolder: true },
	});
	expect(titled.output.video).toMatchObject({ name: stored });
	expect(titled.hints.map(({ message }) => message.slice(0, 6))).toEqual(['Folder', 'Video ']);
});

it('A title that no response shows is compared with one reading of the list for all items of a run', async () => {
	Object.assign(service.settings, { namesCutAt: 40, writeResponse: 'success' });
	const items = await films('a.mp4', 'b.mp4', 'c.mp4');
	const run = await upload(service, { items, title: `=${LONG} {{ $itemIndex }}` });
	for (const { json } of run.items) expect(json.video).toMatchObject({ name: CUT });
	expect(run.hints.map(({ message }) => message)).toEqual(
		[0, 1, 2].map((index) => expect.stringContaining(`"${LONG} ${index}": it was stored as "${CUT}"`)),
	);
	expect(service.requestsOf('videoList').filter(({ query }) => query.name === undefined)).toHaveLength(1);
});

it('A title that was stored otherwise has its hint also when a later item needs another try', async () => {
	service.settings.namesCutAt = 40;
	service.injectFault({ on: 'uploadCreate', kind: 'status', status: 400, skip: 1 });
	const { runs } = await runWorkflow({
		...{ service, rounds: [await films('a.mp4', 'b.mp4')], settings: { retryOnFail: true, maxTries: 2 } },
		parameters: { resource: 'upload', operation: 'upload', title: `=${LONG} {{ $itemIndex }}` },
	});
	expect(runs[0]?.hints?.map(({ message }) => message)).toEqual(
		[0, 1].map((index) => expect.stringContaining(`${LONG} ${index}`)),
	);
});

it('A title is stored as it was sent also where the response to it shows the name before', async () => {
	const before = {
		toJSON: () => {
			const [video] = service.state.videos;
			const { hash, name } = { ...video };
			Object.assign(video ?? {}, { name: 'Gala' });
			return { hash, name };
		},
	};
	service.injectFault({ on: 'videoEdit', kind: 'status', status: 200, body: before });
	const { hints, output } = await upload(service, { title: 'Gala' });
	expect(output.video).toMatchObject({ name: 'Gala' });
	expect(hints).toEqual([]);
});

it.each(['record', 'success'] as const)(
	'The name of a file with a thumbnail is compared, too: the response is %s',
	async (writeResponse) => {
		Object.assign(service.settings, { namesCutAt: 40, writeResponse });
		const image = { data: 'iVBORw0KGgo=', mimeType: 'image/png' };
		// Skip If Exists finds the second one, of which only the extension is cut off.
		const items = await films(`${LONG}.mp4`, `${CUT}.mp4`, 'a.mp4');
		for (const item of items) Object.assign(item.binary ?? {}, { image });
		const run = await upload(service, { items, options: { thumbnailBinaryPropertyName: 'image' } });
		expect(run.items.map(({ json }) => json.video)).toMatchObject(
			[CUT, CUT, 'a.mp4'].map((name) => ({ name })),
		);
		expect(run.hints.map(({ message }) => message)).toEqual([
			expect.stringContaining(`"${LONG}.mp4": it was stored as "${CUT}", so Skip If Exists cannot find it`),
		]);
	},
);

it('A video with a title is found by its mark where the service cuts names at 40 characters', async () => {
	service.settings.namesCutAt = 40;
	const { output } = await upload(service, { title: 'Gala', fileName: `${LONG}.mp4` });
	expect(output.video).toMatchObject({ name: 'Gala' });
});

it('A long file name that is not listed may be stored as another one', async () => {
	service.settings.namesCutAt = 40;
	policies.newVideo.passes.totalMs = 100;
	const { hints, output } = await upload(service, { fileName: `${LONG}.mp4`, ...RETURNED });
	expect(output.video).toBeNull();
	expect(hints[0]?.message).toContain(
		`no video "${LONG}.mp4"; it may have stored it under another name. Find it`,
	);
});
