import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import type { ServiceSettings } from '../fakeService';
import { node, workflowOf } from '../n8n/workflow';
import type { RunningN8n } from '../n8n/instance';
import { poll } from '../n8n/poll';
import { startFileServer } from '../sources/fileServer';
import { sharedN8n } from './testEnvironment';
import { file, FOLDER, Scene, TITLE } from './uploadScene';

// Scenes around an upload, each on a service of its own, in one n8n that runs several of them at a time.
// What they require: each file is at the service once, each title is on the video with that item's bytes, and no other
// video is changed.

jest.setTimeout(240_000);

let n8n: RunningN8n;
const scenes: Scene[] = [];

beforeAll(async () => {
	n8n = await sharedN8n();
}, 180_000);

afterAll(async () => {
	for (const { service } of scenes) await service.close();
});

async function begin(settings: Partial<ServiceSettings> = {}): Promise<Scene> {
	const scene = await Scene.start(n8n, settings);
	scenes.push(scene);
	return scene;
}

it.concurrent('cuts, an expired token and a late list change nothing', async () => {
	const scene = await begin({ videoAppearsAfterMs: 3_000 });
	const files = [file('clip.mp4', { bytes: randomBytes(1_000_000), title: 'Clip' })];
	const { service } = scene;
	service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 200_000, times: 2 });
	service.injectFault({ on: 'uploadPatch', kind: 'expireToken', afterBytes: 100_000 });
	const workflow = await scene.workflow({ options: { title: TITLE } });
	const { error, items } = await workflow.run(files);
	expect({ error, items }).toMatchObject({ error: '', items: [{ complete: true, video: { name: 'Clip' } }] });
	expect(scene.namesOf(files)).toEqual([['Clip']]);
	expect(service.state.uploads).toMatchObject([{ bytesReceived: 1_000_000 }]);
});

it.concurrent(
	'loops of two executions at once: each file is sent once, each title on its bytes, a missing folder created once',
	async () => {
		const scene = await begin({
			...{ videoSizes: false, videoDates: 'none', videoOrder: 'random' },
			...{ videoAppearsAfterMs: 3_000, folderAppearsAfterMs: 6_000 },
		});
		const titles = [1, 2, 3, 4].map((number) => `Lecture ${number}`);
		const files = titles.map((title) => file('Über uns.mp4', { title, folder: 'New' }));
		const workflow = await scene.workflow(
			{ folder: FOLDER, options: { title: TITLE, createFolder: true } },
			{ loop: true, node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 } },
		);
		scene.service.injectFault({ on: 'uploadCreate', kind: 'status', status: 400, skip: 2 });
		scene.service.injectFault({ on: 'videoEdit', kind: 'status', status: 400 });
		const executions = [await workflow.start(files.slice(0, 2)), await workflow.start(files.slice(2))];
		const runs = await Promise.all(executions.map(async (execution) => await execution.end()));
		expect(runs.map(({ error }) => error)).toEqual(['', '']);
		expect(scene.namesOf(files)).toEqual(titles.map((title) => [title]));
		expect(runs.flatMap(({ items }) => items.map(({ video }) => video?.name))).toEqual(titles);
		const { folders, uploads } = scene.service.state;
		expect(folders.map(({ name }) => name)).toEqual(['New']);
		expect(uploads.map(({ folder }) => folder)).toEqual(titles.map(() => folders[0]?.uuid));
	},
);

describe('a source', () => {
	it.concurrent('whose address expires during the wait for the slot leaves no upload behind', async () => {
		const scene = await begin();
		const server = await startFileServer(randomBytes(100_000));
		const slot = await scene.holdSlot();
		const fromUrl = await scene.workflow({ source: 'url', url: '={{ $json.url }}' });
		const waiting = await fromUrl.start([file('clip.mp4', { url: server.url })]);
		await scene.refusals();
		server.expiresAt = Date.now();
		await slot.release();
		expect((await waiting.end()).error).not.toBe('');
		expect(scene.service.state.uploads.map(({ filename }) => filename)).toEqual(['other.mp4']);
		const files = [file('next.mp4')];
		expect((await (await scene.workflow()).run(files)).error).toBe('');
		expect(scene.namesOf(files)).toEqual([['next.mp4']]);
		await server.close();
	});

	it.concurrent('that n8n deletes during the wait for the slot is an error at once', async () => {
		const scene = await begin();
		const trigger = node('Called', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, {
			inputSource: 'passthrough',
		});
		const child = await scene.publish(workflowOf('Child', [trigger, scene.upload()]));
		const call = node('Call', 'n8n-nodes-base.executeWorkflow', 1.2, {
			workflowId: { __rl: true, mode: 'id', value: child.id },
			options: { waitForSubWorkflow: false },
		});
		const parent = await scene.workflow(
			{},
			{ instead: [call], settings: { saveDataSuccessExecution: 'none' } },
		);
		const slot = await scene.holdSlot();
		await parent.start([file('clip.mp4')]).catch(() => undefined);
		await scene.refusals();
		await poll('n8n to forget the parent', 30_000, async () =>
			(await n8n.rest.executions(parent.id)).length === 0 ? true : undefined,
		);
		// n8n deletes the files of the execution some time later.
		for (const folder of ['storage', 'binaryData'])
			rmSync(join(n8n.userFolder, '.n8n', folder, 'workflows', parent.id), {
				recursive: true,
				force: true,
			});
		await slot.release();
		const [execution] = await n8n.rest.executions(child.id);
		const { data } = await n8n.rest.waitForExecution(execution?.id ?? '', 30_000);
		const { message, description } = data.resultData.error ?? {};
		expect(`${message} ${description}`).toMatch(/n8n no longer has the file/);
		expect(`${message} ${description}`).not.toMatch(/run this again to resume/i);
		expect(scene.service.state.uploads.map(({ filename }) => filename)).toEqual(['other.mp4']);
	});
});

it.concurrent(
	'ten executions that wait for another program come in turn, and only one of them asks',
	async () => {
		const scene = await begin();
		const slot = await scene.holdSlot();
		const workflow = await scene.workflow({ options: { returnVideo: false } });
		const files = Array.from({ length: 10 }, (_, index) => file(`${index}.mp4`));
		const executions = [];
		for (const each of files) executions.push(await workflow.start([each]));
		await scene.refusals(3);
		await slot.release();
		for (const execution of executions) expect((await execution.end()).error).toBe('');
		expect(scene.namesOf(files)).toEqual(files.map(({ name }) => [name]));
		const refused = scene.service.requestsOf('uploadCreate').filter(({ status }) => status === 429);
		expect(new Set(refused.map(({ headers }) => headers['upload-metadata'])).size).toBe(1);
		expect(scene.service.state.maxSimultaneousPatches).toBe(1);
	},
);

it.concurrent('Create and Resume with another upload between: it waits, and both arrive', async () => {
	const scene = await begin();
	const create = await scene.workflow(
		{},
		{ instead: [scene.upload({ operation: 'create', fileName: 'steps.mp4', size: 20_000 })] },
	);
	const steps = [file('steps.mp4')];
	const other = [file('other.mp4')];
	const { items } = await create.run(steps);
	const between = await (await scene.workflow()).start(other);
	await scene.refusals(2);
	const resume = await scene.workflow({ operation: 'resume', uploadId: items[0]?.uploadUrl });
	expect((await resume.run(steps)).error).toBe('');
	expect((await between.end()).error).toBe('');
	expect(scene.namesOf([...steps, ...other])).toEqual([['steps.mp4'], ['other.mp4']]);
});

it.concurrent('a cancelled execution ends its transfer, and the next one sends the rest', async () => {
	const scene = await begin();
	const { service } = scene;
	const files = [file('clip.mp4', { bytes: randomBytes(1_000_000) })];
	service.injectFault({ on: 'uploadPatch', kind: 'hang', afterBytes: 600_000 });
	const workflow = await scene.workflow();
	const { id } = await workflow.start(files);
	await service.until(() => service.state.uploads[0]?.offset === 600_000);
	await n8n.rest.stopExecution(id);
	await n8n.rest.waitForExecution(id);
	expect((await workflow.run(files)).items).toMatchObject([{ complete: true, bytesSent: 400_000 }]);
});

describe('Retry On Fail', () => {
	const retried = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };

	it.concurrent.each(['videoEdit', 'videoThumbnail', 'uploadCreate'] as const)(
		'after a failed %s of the third item sends no file twice',
		async (on) => {
			const scene = await begin();
			const files = [1, 2, 3].map((number) => file(`${number}.mp4`, { title: `Lecture ${number}` }));
			const image = node('Image', 'n8n-nodes-base.code', 2, {
				jsCode:
					"for (const item of items) item.binary.image = { data: 'iVBORw0KGgo=', mimeType: 'image/png', fileName: 'i.png' };\nreturn items;",
			});
			const options = { title: TITLE, thumbnailBinaryPropertyName: 'image' };
			const workflow = await scene.workflow({ options }, { before: [image], node: retried });
			scene.service.injectFault({ on, kind: 'status', status: 400, skip: 2 });
			expect((await workflow.run(files)).error).toBe('');
			expect(scene.namesOf(files)).toEqual([['Lecture 1'], ['Lecture 2'], ['Lecture 3']]);
			expect(scene.service.state.uploads).toHaveLength(3);
			expect(scene.service.state.videos.every(({ thumbnail }) => thumbnail)).toBe(true);
		},
	);
});
