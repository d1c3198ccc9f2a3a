import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import type { ServiceSettings } from '../fakeService';
import { createUpload, patch, signedIn } from '../fakeService/axiosClient';
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

const skippedOf = ({ items }: { items: IDataObject[] }) => items.map(({ skipped }) => skipped);

describe('Skip If Exists', () => {
	it.concurrent('accepts only known extensions as left out', async () => {
		const scene = await begin();
		scene.service.seedVideos([{ name: 'Lesson 1' }, { name: 'release-2' }]);
		const files = ['Lesson 1.1', 'Lesson 1.2', 'release-2.1', 'Lesson 1.mp4'].map((name) => file(name));
		const workflow = await scene.workflow({ options: { skipIfExists: true } });
		expect(skippedOf(await workflow.run(files))).toEqual([false, false, false, true]);
		expect(scene.namesOf(files)).toEqual([['Lesson 1.1'], ['Lesson 1.2'], ['release-2.1'], []]);
	});

	it.concurrent('finds a video behind 250 whose names contain the same word', async () => {
		const scene = await begin({ videoNameFilter: 'ignored', videoOrder: 'newestFirst' });
		const others = Array.from({ length: 250 }, (_, index) => ({ name: `lesson ${index}` }));
		scene.service.seedVideos([...others, { name: 'lesson' }, ...others]);
		const workflow = await scene.workflow({ options: { skipIfExists: true } });
		const { items } = await workflow.run([file('lesson.mp4')]);
		expect(items).toMatchObject([{ skipped: true, video: { name: 'lesson' } }]);
		expect(scene.service.state.uploads).toEqual([]);
	});
});

it.concurrent(
	'loops of two executions at once: each file is sent once, each title on its bytes, a missing folder created once',
	async () => {
		const scene = await begin({
			...{ videoSizes: false, videoDates: 'none', videoOrder: 'random' },
			...{ videoAppearsAfterMs: 1_000, videoLagSpreadMs: 3_000, folderAppearsAfterMs: 6_000 },
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
	it.concurrent('is read on from where its server stopped, whatever range it returns', async () => {
		const scene = await begin();
		const server = await startFileServer(randomBytes(1_000_000));
		Object.assign(server, { longestRange: 150_000, breaksOffAfter: [300_000] });
		const files = [file('clip.mp4', { url: server.url, bytes: server.content })];
		const workflow = await scene.workflow({ source: 'url', url: '={{ $json.url }}' });
		const { error } = await workflow.run(files);
		expect({ error, names: scene.namesOf(files) }).toEqual({ error: '', names: [['keynote 2026.mp4']] });
		await server.close();
	});

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

it.concurrent('the slot is left to another program between the items of a batch', async () => {
	const scene = await begin();
	const slot = await scene.holdSlot();
	const files = Array.from({ length: 8 }, (_, index) => file(`${index}.mp4`));
	scene.service.injectFault({ on: 'uploadPatch', kind: 'delay', ms: 500, times: 1_000, skip: 1 });
	const batch = await (await scene.workflow({ options: { returnVideo: false } })).start(files);
	await scene.refusals();
	await slot.release();
	const client = await signedIn(scene.service);
	// As another worker polls.
	const other = await poll('the slot', 120_000, async () => {
		await sleep(4_000);
		return await createUpload(client, 1, 'worker.mp4').catch(() => undefined);
	});
	const isDuringBatch = scene.service.state.uploads.length < files.length + 2;
	await patch(client, other, 0, Buffer.from('x'));
	expect((await batch.end(150_000)).error).toBe('');
	expect(isDuringBatch).toBe(true);
});

it.concurrent('two services whose upload IDs are numbers are two services', async () => {
	const [one, two] = [await begin({ uploadIds: 'numeric' }), await begin({ uploadIds: 'numeric' })];
	// An item with an error keeps its file for the next node.
	const onError = 'continueRegularOutput';
	const other = { ...two.upload({}, { onError }), name: 'Other Upload' };
	const workflow = await one.workflow({}, { instead: [one.upload({}, { onError }), other] });
	const files = [file('clip.mp4')];
	one.service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: 5_000 });
	await workflow.run(files);
	expect(one.service.state.uploads).toMatchObject([{ id: '1', offset: 5_000 }]);
	expect(two.service.state.uploads).toMatchObject([{ id: '1', complete: true }]);
	expect((await workflow.run(files)).error).toBe('');
	expect(one.service.state.uploads).toMatchObject([{ id: '1', complete: true, bytesReceived: 20_000 }]);
});
