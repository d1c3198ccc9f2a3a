import { NodeHelpers, NodeOperationError, type INodeParameters } from 'n8n-workflow';

import { VideoHosting } from '../../../nodes/VideoHosting/VideoHosting.node';
import { executeForJson, executeNode, itemWithFile } from '../../execution/executeNode';
import { fc } from '../../execution/generated';
import { by } from '../../execution/locator';
import type { RunningService } from '../../fakeService';
import { serviceForEachTest } from '../../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));

const film = { fileName: 'film.mp4', mimeType: 'video/mp4' };
const folder = by('name', 'Webinars');

describe('A folder by its name', () => {
	/** n8n publishes and runs no workflow in which its own check of the parameters fails. */
	it('passes the parameter check of n8n unless the name is blank', () => {
		const { description } = new VideoHosting();
		const issuesWith = (name: string) =>
			NodeHelpers.getNodeParametersIssues(
				description.properties,
				{
					id: 'node',
					name: 'Get Folder',
					type: 'n8n-nodes-video-hosting.videoHosting',
					typeVersion: 1,
					position: [0, 0],
					parameters: { resource: 'folder', operation: 'get', folder: by('name', name) },
				},
				description,
			)?.parameters;
		// n8n evaluates a text that begins with "=" instead of checking it.
		const text = fc.string({ unit: 'grapheme' }).filter((name) => !name.startsWith('='));
		fc.assert(fc.property(text, (name) => expect(issuesWith(name) !== undefined).toBe(name.trim() === '')));
		expect(issuesWith('From Google Drive')).toBeUndefined();
	});

	it.each([
		['folder', 'get', {}],
		['folder', 'update', { updateFields: { description: 'x' } }],
		['folder', 'delete', {}],
		['diskUsage', 'getFolder', {}],
		['video', 'move', {}],
		['upload', 'create', { fileName: 'film.mp4', size: 15 }],
		['upload', 'upload', { options: { returnVideo: false } }],
	])('is used by %s → %s', async (resource, operation, own) => {
		const [, chosen] = service.seedFolders([{ name: 'webinars' }, { name: 'Webinars' }]);
		const [video] = service.seedVideos(1);
		await executeNode({
			service,
			parameters: { resource, operation, folder, video: by('hash', video?.hash ?? ''), ...own },
			items: [await itemWithFile(Buffer.from('bytes of a film'), film)],
		});
		const uuid = chosen?.uuid ?? '';
		const sent = service.requests.filter(
			({ path, body, headers }) =>
				path.endsWith(uuid) || JSON.stringify(body ?? '').includes(uuid) || headers.gallery === uuid,
		);
		const reads = ['authenticate', 'folderList'];
		if (operation === 'get') expect(service.requests.map((request) => request.operation)).toEqual(reads);
		else expect(sent.length).toBeGreaterThan(0);
		expect(service.requestsOf('folderList')).toHaveLength(1);
	});

	it('is used by Upload → Resume, and fails before the file is sent when it does not exist', async () => {
		await executeNode({
			service,
			parameters: { resource: 'upload', operation: 'create', fileName: 'film.mp4', size: 15 },
		});
		const uploadId = service.state.uploads[0]?.id ?? '';
		const parameters = { resource: 'upload', operation: 'resume', uploadId, folder };
		const items = [await itemWithFile(Buffer.from('bytes of a film'), film)];
		await expect(executeNode({ service, parameters, items })).rejects.toThrow(
			'The application has no folder with the name "Webinars"',
		);
		expect(service.requestsOf('uploadPatch')).toEqual([]);
		const [created] = service.seedFolders([{ name: 'Webinars' }]);
		await executeNode({ service, parameters, items });
		expect(service.requestsOf('uploadPatch').at(-1)?.headers.gallery).toBe(created?.uuid);
	});

	it('is looked up once for many items, and agrees with a comparison of names for any folders', async () => {
		const name = fc.constantFrom('a', 'A', 'ä', 'a\u0308', 'a ', 'b', 'é/1');
		const plain = (text: string) => text.normalize('NFC').trim();
		await fc.assert(
			fc.asyncProperty(
				fc.array(name, { maxLength: 5 }),
				fc.array(name, { minLength: 1, maxLength: 5 }),
				async (names, wanted) => {
					service.state.folders = [];
					service.requests.length = 0;
					const folders = service.seedFolders(names.map((given) => ({ name: given })));
					const output = await executeForJson({
						service,
						parameters: { resource: 'folder', operation: 'get', folder: by('name', '={{ $json.name }}') },
						items: wanted.map((given) => ({ json: { name: given } })),
						onError: 'continueRegularOutput',
					});
					for (const [index, given] of wanted.entries()) {
						const matches = folders.filter((candidate) => plain(candidate.name) === plain(given));
						const uuids = matches.map(({ uuid }) => uuid).join(', ');
						const problem =
							matches.length === 0
								? `The application has no folder with the name "${given.trim()}". Check Folder: the name must match exactly, including upper and lower case.`
								: `${matches.length} folders have the name "${given.trim()}": ${uuids}. Choose one of them By UUID.`;
						expect(output[index]).toEqual(matches.length === 1 ? matches[0] : { error: problem });
					}
					expect(service.requestsOf('folderList')).toHaveLength(1);
				},
			),
			{ numRuns: 25 },
		);
	});

	it('follows what earlier items of the run changed', async () => {
		service.seedFolders([{ name: 'A' }, { name: 'B' }]);
		const rename = [
			['A', 'C'],
			['B', 'A'],
			['C', 'B'],
		];
		await executeNode({
			service,
			parameters: {
				resource: 'folder',
				operation: 'update',
				folder: by('name', '={{ $json.from }}'),
				updateFields: { name: '={{ $json.to }}' },
			},
			items: rename.map(([from = '', to = '']) => ({ json: { from, to } })),
		});
		expect(service.state.folders.map(({ name }) => name)).toEqual(['B', 'A']);
		expect(service.requestsOf('folderList')).toHaveLength(1);
	});
});

describe('Create Folder If Missing', () => {
	const move = { resource: 'video', operation: 'move', folder, options: { createFolder: true } };
	const twenty = () => service.seedVideos(20).map(({ hash }) => ({ json: { hash }, binary: undefined }));

	it.each(['record', 'success', 'empty', 'emptyArray'] as const)(
		'creates the folder once for twenty items of Move (response: %s)',
		async (writeResponse) => {
			service.settings.writeResponse = writeResponse;
			await executeNode({
				service,
				parameters: { ...move, video: by('hash', '={{ $json.hash }}') },
				items: twenty(),
			});
			expect(service.requestsOf('folderCreate').map(({ body }) => body)).toEqual([{ name: 'Webinars' }]);
			const [created] = service.state.folders;
			expect(new Set(service.state.videos.map((video) => video.folder))).toEqual(new Set([created?.uuid]));
			expect(service.requestsOf('folderList').length).toBeLessThanOrEqual(2);
		},
	);

	it('creates none for a video that does not exist, and then one for a video that does', async () => {
		const [video] = service.seedVideos(25);
		const output = await executeForJson({
			service,
			parameters: { ...move, video: by('hash', '={{ $json.hash }}') },
			items: [{ json: { hash: 'gone' } }, { json: { hash: 'gone-2' } }],
			onError: 'continueRegularOutput',
		});
		expect(output.map(({ error }) => error)).toEqual(
			['gone', 'gone-2'].map((hash) => expect.stringContaining(`no video with the hash "${hash}"`) as string),
		);
		expect(service.state.folders).toEqual([]);
		// Each page of the list once.
		expect(service.requestsOf('videoList').length).toBeLessThanOrEqual(3);

		await executeNode({ service, parameters: { ...move, video: by('hash', video?.hash ?? '') } });
		expect(service.state.folders).toMatchObject([{ name: 'Webinars', uuid: video?.folder }]);
	});

	it('looks no video up when the folder exists', async () => {
		service.seedFolders([{ name: 'Webinars' }]);
		const [video] = service.seedVideos(1);
		await executeNode({ service, parameters: { ...move, video: by('hash', video?.hash ?? '') } });
		expect(service.requestsOf('videoList')).toEqual([]);
	});

	it('moves a video without a plan, which no list can show', async () => {
		const [video] = service.seedVideos(1);
		await executeNode({
			service,
			parameters: { ...move, video: by('hash', video?.hash ?? '') },
			credential: { planId: '' },
		});
		expect(service.state.folders).toMatchObject([{ uuid: video?.folder }]);
		expect(service.requestsOf('videoList')).toEqual([]);
	});

	it.each([
		['upload', 'upload', true],
		['video', 'move', true],
		['diskUsage', 'getFolder', false],
	])(
		'is named by the error of a missing folder where it exists: %s → %s',
		async (resource, operation, has) => {
			const [video] = service.seedVideos(1);
			const items = [await itemWithFile(Buffer.from('bytes'), film)];
			const parameters = { resource, operation, folder, video: by('hash', video?.hash ?? '') };
			const error = await executeNode({ service, parameters, items }).catch((thrown: unknown) => thrown);
			expect(error).toMatchObject({ message: 'The application has no folder with the name "Webinars"' });
			expect(
				error instanceof NodeOperationError && error.description?.includes('Create Folder If Missing'),
			).toBe(has);
		},
	);

	it('names the folder when the response to its creation is lost', async () => {
		service.injectFault({ on: 'folderCreate', kind: 'lostResponse' });
		const items = [await itemWithFile(Buffer.from('bytes'), film)];
		const parameters = { resource: 'upload', operation: 'upload', folder, options: { createFolder: true } };
		const running = executeNode({ service, parameters, items });
		await expect(running).rejects.toThrow(/^Creating the folder "Webinars" failed\. The service /);
		expect(service.state.uploads).toEqual([]);
	});

	it('creates none for an upload whose file is missing', async () => {
		const parameters = { resource: 'upload', operation: 'upload', folder, options: { createFolder: true } };
		await expect(executeNode({ service, parameters })).rejects.toThrow();
		expect(service.state.folders).toEqual([]);
	});

	it('does nothing for a folder that is chosen by its UUID', async () => {
		const uuid = '00000000-0000-4000-8000-000000000000';
		const [item] = twenty();
		const run = executeNode({
			service,
			parameters: { ...move, folder: by('uuid', uuid), video: by('hash', item?.json.hash ?? '') },
		});
		await expect(run).rejects.toThrow(/^Folder not found/);
		expect(service.requestsOf('folderCreate')).toEqual([]);
	});
});

describe('A blank folder of an upload', () => {
	const blanks = ['', '  ', '={{ $json.missing }}', '={{ null }}', '={{ "" }}', '={{ " " }}'];
	const uploads = [
		{ resource: 'upload', operation: 'create', fileName: 'film.mp4', size: 15 },
		{ resource: 'upload', operation: 'resume', uploadId: 'upload-1' },
		{ resource: 'upload', operation: 'upload', options: { returnVideo: false, createFolder: true } },
	];
	const run = async (parameters: INodeParameters) =>
		await executeNode({
			service,
			parameters,
			items: [await itemWithFile(Buffer.from('bytes of a film'), film)],
		});

	it('is an error by name or UUID, and from an expression, before any request', async () => {
		const locators: INodeParameters['folder'][] = [
			...blanks.flatMap((value) => [by('name', value), by('uuid', value)]),
			...blanks.filter((value) => value.startsWith('=')).flatMap((value) => [by('list', value), value]),
		];
		for (const chosen of locators) {
			for (const parameters of uploads) {
				await expect(run({ ...parameters, folder: chosen })).rejects.toThrow(
					/^Folder (is empty|resolves to nothing)$/,
				);
			}
		}
		expect(service.requests).toEqual([]);
	});

	it('means none where nothing is chosen from the list', async () => {
		const [create, , upload] = uploads;
		for (const chosen of [{ folder: by('list', '') }, {}]) {
			for (const parameters of [upload, create]) {
				await run({ ...parameters, ...chosen });
				expect(service.state.uploads.pop()).toMatchObject({ folder: null });
			}
		}
	});
});
