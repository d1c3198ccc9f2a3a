import type { IDataObject, INode } from 'n8n-workflow';

import { by } from '../execution/locator';
import type { RunningService } from '../fakeService';
import { outputOf } from '../n8n/execution';
import type { RunningN8n } from '../n8n/instance';
import type { StoredCredential } from '../n8n/rest';
import { countFolders, MANUAL_TRIGGER, manualTrigger, videoHosting, workflowOf } from '../n8n/workflow';
import { credentialFor, inEachRelease, startTimeout } from './place';

/** Of each input item. */
const TEXT = '={{ $json.text }}';
const onError = 'continueRegularOutput';

const dateScheduled = '2030-01-01 12:00';

/** Valid names that something between the panel and the service might change. */
const NAMES = [
	`"Quoted", 'quoted', \`quoted\` and \\`,
	'../../v1/folders?name=a&b=c#d',
	'🎬 Über uns – 東京',
	'First line\nsecond line\twith {{ $json.text }}',
	'<b onclick="alert(1)">Bold</b>&amp;',
	'=1 + 1, %2e%2e and %00',
	'x'.repeat(5_000),
];
/** Hashes with which a path would lead elsewhere. */
const HASHES = ['..', '.', '../../folders/total', '%2e%2e', 'a?b#c', '..\\..'];

inEachRelease((place) => {
	let service: RunningService;
	let n8n: RunningN8n;
	let credential: StoredCredential;

	beforeAll(async () => {
		service = await place.service({ slotHeldBy: 'transferring' });
		n8n = await place.n8n();
		credential = await credentialFor(n8n, service);
		// Signs in.
		await n8n.rest.runToSuccess(countFolders(credential));
	}, startTimeout);
	beforeEach(() => {
		service.clearFaults();
		service.requests.length = 0;
	});

	it('names with quotes, paths, emoji, lines, HTML and 5,000 characters arrive as they are, and are found', async () => {
		service.seedVideos(NAMES.map((_, index) => ({ hash: `hash-${index}` })));
		const video = by('hash', '={{ "hash-" + $itemIndex }}');
		const [, folders, , events, , videos] = await run(
			[
				node('Create Folders', 'folder', 'create', { name: TEXT }),
				node('Get Folders', 'folder', 'get', { folder: by('name', TEXT) }),
				node('Create Events', 'event', 'create', { title: TEXT, dateScheduled }),
				node('Get Events', 'event', 'get', { event: by('title', TEXT) }),
				node('Rename Videos', 'video', 'update', { video, name: TEXT }),
				node('Get Videos', 'video', 'get', { video: by('name', TEXT) }),
				node('Create Uploads', 'upload', 'create', { fileName: TEXT, size: 1 }),
			],
			NAMES,
		);
		expect(folders?.map(({ name }) => name)).toEqual(NAMES);
		expect(events?.map(({ title }) => title)).toEqual(NAMES);
		expect(videos?.map(({ name }) => name)).toEqual(NAMES);
		expect(service.state.uploads.map(({ filename }) => filename)).toEqual(NAMES);
	}, 60_000);

	it('a hash with a path in it leads to no other operation', async () => {
		const [deleted] = await run([node('Delete', 'video', 'delete', { video: by('hash', TEXT) })], HASHES);
		const error = expect.stringMatching(/^Video not found\. /) as string;
		expect(deleted).toEqual(HASHES.map((text) => ({ text, error })));
		expect(service.requests.map(({ operation }) => operation)).toEqual(HASHES.map(() => 'videoDelete'));
	});

	it("a gateway's page instead of JSON fails its item with the reason, and the next item is processed", async () => {
		const body = '<html><body>Gateway</body></html>';
		const headers = { 'Content-Type': 'text/html' };
		for (const status of [200, 403, 404, 502])
			service.injectFault({ on: 'folderCreate', kind: 'status', status, body, headers });
		const before = service.state.folders.length;
		const texts = ['1', '2', '3', '4', '5'];
		const [created] = await run([node('Create', 'folder', 'create', { name: TEXT })], texts);
		const mayExist = 'It may have been carried out: check that before you run this again.';
		expect(created).toMatchObject([
			{ error: expect.stringContaining(`The service returned a web page. ${mayExist}`) },
			{ error: expect.stringContaining('returned 403 with a web page instead of JSON. A proxy') },
			{ error: expect.stringContaining('returned 404 with a web page instead of JSON. A proxy') },
			{ error: expect.stringContaining(`returned 502 with a web page instead of JSON. ${mayExist}`) },
			{ name: '5' },
		]);
		expect(service.state.folders).toHaveLength(before + 1);
	});

	function node(name: string, resource: string, operation: string, parameters: IDataObject = {}): INode {
		const call = videoHosting(name, credential, { resource, operation, ...parameters });
		return { ...call, onError };
	}

	/** Runs the nodes one after the other, each for items with these texts, and returns what each has returned. */
	async function run(nodes: INode[], texts = ['']): Promise<IDataObject[][]> {
		const wires = nodes.map(({ name }) => ({ node: name, type: 'main' as const, index: 0 }));
		const execution = await n8n.rest.runToSuccess({
			...workflowOf('Items', [manualTrigger(), ...nodes]),
			connections: { [MANUAL_TRIGGER]: { main: [wires] } },
			pinData: { [MANUAL_TRIGGER]: texts.map((text) => ({ json: { text } })) },
		});
		return nodes.map(({ name }) => outputOf(execution, name).map(({ json }) => json));
	}
});
