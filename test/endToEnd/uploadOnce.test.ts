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
import { file, FOLDER, Scene, TITLE, type SceneFile } from './uploadScene';

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
const lectures = (names: string[]): SceneFile[] =>
	names.map((name, index) => file(name, { title: `Lecture ${index + 1}` }));
const titlesOf = (files: SceneFile[]) => files.map(({ title }) => [title]);
const YESTERDAY = new Date(Date.now() - 86_400_000).toISOString();

describe('Skip If Exists', () => {
	it.concurrent('with Title, decides by the title alone', async () => {
		const scene = await begin();
		const files = lectures(['recording.mp4', 'recording.mp4', 'recording.mp4']);
		const workflow = await scene.workflow({ options: { title: TITLE, skipIfExists: true } });
		expect(skippedOf(await workflow.run(files))).toEqual([false, false, false]);
		expect(scene.namesOf(files)).toEqual(titlesOf(files));
		const again = await workflow.run(files.map(({ title }) => file('recording.mp4', { title })));
		expect(skippedOf(again)).toEqual([true, true, true]);
		expect(again.items.map(({ video }) => [video?.name])).toEqual(titlesOf(files));
		expect(scene.service.state.uploads).toHaveLength(3);
	});

	it.concurrent('accepts only known extensions as left out', async () => {
		const scene = await begin();
		scene.service.seedVideos([{ name: 'Lesson 1' }, { name: 'release-2' }]);
		const files = ['Lesson 1.1', 'Lesson 1.2', 'release-2.1', 'Lesson 1.mp4'].map((name) => file(name));
		const workflow = await scene.workflow({ options: { skipIfExists: true } });
		expect(skippedOf(await workflow.run(files))).toEqual([false, false, false, true]);
		expect(scene.namesOf(files)).toEqual([['Lesson 1.1'], ['Lesson 1.2'], ['release-2.1'], []]);
	});

	it.concurrent('is decided after the wait for the slot', async () => {
		const scene = await begin();
		const files = [file('clip.mp4')];
		const workflow = await scene.workflow({ options: { skipIfExists: true } });
		scene.service.injectFault({ on: 'uploadPatch', kind: 'delay', ms: 4_000 });
		const first = await workflow.start(files);
		await scene.service.until(() => scene.service.requestsOf('uploadPatch').length > 0);
		const second = await workflow.start(files);
		expect(skippedOf(await first.end())).toEqual([false]);
		const { items } = await second.end();
		expect(items).toMatchObject([{ skipped: true, video: { name: 'clip.mp4' } }]);
		expect(scene.namesOf(files)).toEqual([['clip.mp4']]);
	});

	it.concurrent.each<Partial<ServiceSettings>>([
		{},
		{ videoNameFilter: 'ignored', videoOrder: 'newestFirst' },
	])('finds a video behind 250 whose names contain the same word, with %j', async (settings) => {
		const scene = await begin(settings);
		const others = Array.from({ length: 250 }, (_, index) => ({ name: `lesson ${index}` }));
		scene.service.seedVideos([...others, { name: 'lesson' }, ...others]);
		const { items } = await (
			await scene.workflow({ options: { skipIfExists: true } })
		).run([file('lesson.mp4')]);
		expect(items).toMatchObject([{ skipped: true, video: { name: 'lesson' } }]);
		expect(scene.service.state.uploads).toEqual([]);
	});

	it.concurrent('finds each spelling in the folder when the service filters by exact name', async () => {
		const scene = await begin({ videoNameFilter: 'exact', videoNameForm: 'NFC' });
		const [first, second] = scene.service.seedFolders([{ name: 'First' }, { name: 'Second' }]);
		scene.service.seedVideos([
			{ name: 'clip', folder: first?.uuid ?? null },
			{ name: 'clip.mp4', folder: second?.uuid ?? null },
		]);
		const workflow = await scene.workflow({ folder: FOLDER, options: { skipIfExists: true } });
		const clip = await workflow.run([file('clip.mp4', { folder: 'Second' })]);
		expect(clip.items).toMatchObject([
			{ skipped: true, video: { name: 'clip.mp4', folder_uuid: second?.uuid } },
		]);
		const spelled = [file('u\u0308ber.mp4', { folder: 'First' })];
		expect(skippedOf(await workflow.run(spelled))).toEqual([false]);
		// Other bytes, so that only the name shows that it exists.
		const respelled = [file('u\u0308ber.mp4', { folder: 'First' })];
		expect(skippedOf(await workflow.run(respelled))).toEqual([true]);
		expect(scene.namesOf([...spelled, ...respelled])).toEqual([['\u00fcber.mp4'], []]);
	});
});

describe('a file is sent once', () => {
	it.concurrent.each([
		{ skipIfExists: false, status: 503 },
		{ skipIfExists: true, status: 503 },
		{ skipIfExists: false, status: 400 },
		{ skipIfExists: true, status: 400 },
	])('when its title is refused once and n8n tries again: %j', async ({ skipIfExists, status }) => {
		const scene = await begin();
		const files = lectures(['clip.mp4']);
		const workflow = await scene.workflow(
			{ options: { title: TITLE, skipIfExists } },
			{ node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 } },
		);
		scene.service.injectFault({ on: 'videoEdit', kind: 'status', status });
		const { error, items } = await workflow.run(files);
		expect({ error, names: scene.namesOf(files) }).toEqual({ error: '', names: titlesOf(files) });
		expect(items).toMatchObject([{ video: { name: 'Lecture 1' } }]);
		expect(scene.service.state.uploads).toHaveLength(1);
	});

	it.concurrent('when its video is listed after 45 s and n8n tries again', async () => {
		const scene = await begin({ videoAppearsAfterMs: 45_000 });
		const files = lectures(['clip.mp4']);
		const workflow = await scene.workflow(
			{ options: { title: TITLE } },
			{ node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 5_000 } },
		);
		const { items } = await workflow.run(files, 180_000);
		expect(scene.namesOf(files)).toEqual(titlesOf(files));
		expect(items).toMatchObject([{ video: { hash: scene.service.state.videos[0]?.hash } }]);
		expect(scene.service.state.uploads).toHaveLength(1);
	});

	it.concurrent.each([{}, { title: TITLE }])(
		'when a later item is refused once and n8n tries again, with %j',
		async (options) => {
			const scene = await begin();
			const files = lectures(['a.mp4', 'b.mp4', 'c.mp4']);
			const workflow = await scene.workflow(
				{ options },
				{ node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 } },
			);
			scene.service.injectFault({ on: 'uploadCreate', kind: 'status', status: 400, skip: 2 });
			const { items } = await workflow.run(files);
			expect(items.map(({ fileName }) => fileName)).toEqual(['a.mp4', 'b.mp4', 'c.mp4']);
			expect(scene.namesOf(files)).toEqual(
				'title' in options ? titlesOf(files) : [['a.mp4'], ['b.mp4'], ['c.mp4']],
			);
		},
	);

	it.concurrent.each([{}, { title: TITLE }])(
		'when the last response is lost and the service forgets finished uploads, with %j',
		async (options) => {
			const scene = await begin({ dropsFinishedUploads: true, videoAppearsAfterMs: 1_000 });
			const files = lectures(['clip.mp4']);
			scene.service.injectFault({ on: 'uploadPatch', kind: 'lostResponse' });
			const { error, items } = await (await scene.workflow({ options })).run(files);
			expect({ error, items }).toMatchObject({ error: '', items: [{ complete: true }] });
			expect(scene.namesOf(files)).toEqual('title' in options ? titlesOf(files) : [['clip.mp4']]);
		},
	);
});

describe('a title is on the video with its bytes', () => {
	const late = { videoSizes: false, videoAppearsAfterMs: 1_000, videoLagSpreadMs: 3_000 } as const;
	const orders: Array<Partial<ServiceSettings>> = [
		{ videoOrder: 'oldestFirst', videoOrderByIgnored: true },
		{ videoOrder: 'random', videoDates: 'none' },
		{ videoOrder: 'newestFirst', videoDates: 'seconds' },
		{ videoOrder: 'random', videoDates: 'day', videoFolders: false, clockOffsetMinutes: -90 },
		{ videoNameFilter: 'prefix', videoNameSanitized: true, videoNameLowerCase: true },
	];

	it.concurrent.each(orders)('of three files with one name, with %j', async (settings) => {
		const scene = await begin({ ...late, ...settings });
		const files = lectures(['Über uns.mp4', 'Über uns.mp4', 'Über uns.mp4']);
		await (await scene.workflow({ options: { title: TITLE } })).run(files);
		expect(scene.namesOf(files)).toEqual(titlesOf(files));
	});

	it.concurrent('of one file that goes into two folders', async () => {
		const scene = await begin({ videoNameFilter: 'contains', videoOrder: 'newestFirst' });
		const folders = scene.service.seedFolders([{ name: 'First' }, { name: 'Second' }]);
		const bytes = randomBytes(20_000);
		const files = folders.map(({ name }) => file('clip.mp4', { bytes, folder: name, title: `In ${name}` }));
		const { items } = await (await scene.workflow({ folder: FOLDER, options: { title: TITLE } })).run(files);
		expect(scene.service.state.videos.map(({ name, folder }) => ({ name, folder }))).toEqual(
			folders.map(({ name, uuid }) => ({ name: `In ${name}`, folder: uuid })),
		);
		expect(items.map(({ folder }) => folder)).toEqual(folders.map(({ uuid }) => uuid));
		expect(items.map(({ video }) => video?.folder_uuid)).toEqual(folders.map(({ uuid }) => uuid));
	});

	it.concurrent('of two executions at the same time', async () => {
		const scene = await begin({ ...late, videoDates: 'day' });
		const files = lectures(['clip.mp4', 'clip.mp4']);
		const workflow = await scene.workflow({ options: { title: TITLE } });
		const executions = [await workflow.start(files.slice(0, 1)), await workflow.start(files.slice(1))];
		await Promise.all(executions.map(async (execution) => await execution.end()));
		expect(scene.namesOf(files)).toEqual(titlesOf(files));
	});

	it.concurrent('of a second run, before the video of the first one is listed', async () => {
		const scene = await begin({ videoSizes: false, videoAppearsAfterMs: 6_000 });
		const files = lectures(['clip.mp4', 'clip.mp4']);
		await (await scene.workflow({ options: { returnVideo: false } })).run(files.slice(0, 1));
		await (await scene.workflow({ options: { title: TITLE } })).run(files.slice(1));
		expect(scene.namesOf(files)).toEqual([['clip.mp4'], ['Lecture 2']]);
	});

	it.concurrent('in a Loop Over Items', async () => {
		const scene = await begin({ ...late, videoDates: 'none' });
		const files = lectures(['clip.mp4', 'clip.mp4', 'clip.mp4']);
		const { items } = await (await scene.workflow({ options: { title: TITLE } }, { loop: true })).run(files);
		expect(items.map(({ video }) => [video?.name])).toEqual(titlesOf(files));
		expect(scene.namesOf(files)).toEqual(titlesOf(files));
	});

	it.concurrent('when a list leaves an older video out for a while', async () => {
		const scene = await begin({ videoSizes: false, videoAppearsAfterMs: 7_000 });
		const files = lectures(['clip.mp4']);
		const workflow = await scene.workflow({ options: { title: TITLE } });
		const older = { name: 'clip.mp4', createdDate: YESTERDAY, appearsAt: Date.now() + 4_000 };
		scene.service.seedVideos([older]);
		await workflow.run(files);
		expect(scene.service.state.videos.map(({ name }) => name)).toEqual(['clip.mp4', 'Lecture 1']);
	});

	it.concurrent.each([{ title: TITLE }, {}])(
		'or it is returned as it is, after a list that fails for a while, with %j',
		async (options) => {
			const scene = await begin();
			const files = lectures(['clip.mp4']);
			const workflow = await scene.workflow({ options });
			scene.service.injectFault({ on: 'videoList', kind: 'status', status: 503, times: 8 });
			const { error, items } = await workflow.run(files);
			const name = 'title' in options ? 'Lecture 1' : 'clip.mp4';
			expect({ error, items }).toMatchObject({ error: '', items: [{ complete: true, video: { name } }] });
		},
	);

	it.concurrent.each([{ title: TITLE }, {}])(
		'or can still be set by the next run, after a list that hangs, with %j',
		async (options) => {
			const scene = await begin();
			const files = lectures(['clip.mp4']);
			const workflow = await scene.workflow({ options });
			scene.service.injectFault({ on: 'videoList', kind: 'hang', times: 1_000 });
			// 30 s, and what a busy machine takes besides.
			const { error, items } = await workflow.run(files, 75_000);
			const stored = scene.service.state.videos[0]?.name ?? '';
			if ('title' in options) {
				expect(error).toContain(stored);
				scene.service.clearFaults();
				expect((await workflow.run(files)).error).toBe('');
				expect(scene.namesOf(files)).toEqual(titlesOf(files));
			} else {
				expect({ error, items }).toMatchObject({ error: '', items: [{ complete: true, video: null }] });
			}
			expect(scene.service.state.uploads).toHaveLength(1);
		},
	);
});

describe('a missing folder is created once', () => {
	const options = { createFolder: true, returnVideo: false };
	const inFolder = (count: number) =>
		Array.from({ length: count }, () => file('clip.mp4', { folder: 'New' }));

	it.concurrent.each([true, false])('when its list lags, in a Loop Over Items: %s', async (loop) => {
		const scene = await begin({ folderAppearsAfterMs: 6_000 });
		const workflow = await scene.workflow({ folder: FOLDER, options }, { loop });
		if (loop) await workflow.run(inFolder(3));
		else {
			const executions = [1, 2, 3].map(async () => await workflow.start(inFolder(1)));
			await Promise.all(executions);
			await poll('three executions to end', 60_000, async () => {
				const all = await n8n.rest.executions(workflow.id);
				return all.filter(({ status }) => status === 'success').length === 3 || undefined;
			});
		}
		expect(scene.service.state.folders.map(({ name }) => name)).toEqual(['New']);
		const [folder] = scene.service.state.folders;
		expect(scene.service.state.uploads.map((upload) => upload.folder)).toEqual(Array(3).fill(folder?.uuid));
	});
});

describe('a source', () => {
	it.concurrent.each([
		{ longestRange: 150_000 },
		{ longestRange: 150_000, ignoresFirst: true },
		{ closesAfter: 120_000 },
	])(
		'is read on from where its server stopped: %j',
		async ({
			ignoresFirst,
			...habits
		}: {
			longestRange?: number;
			closesAfter?: number;
			ignoresFirst?: boolean;
		}) => {
			const scene = await begin();
			const server = await startFileServer(randomBytes(1_000_000));
			Object.assign(server, habits, ignoresFirst ? { breaksOffAfter: [300_000] } : {});
			const files = [file('clip.mp4', { url: server.url, bytes: server.content })];
			const workflow = await scene.workflow({ source: 'url', url: '={{ $json.url }}' });
			const { error } = await workflow.run(files);
			expect({ error, names: scene.namesOf(files) }).toEqual({ error: '', names: [['keynote 2026.mp4']] });
			await server.close();
		},
	);

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

describe('the slot', () => {
	it.concurrent('is waited for while an upload is between Create and Resume', async () => {
		const scene = await begin();
		const reserving = await scene.workflow(
			{ operation: 'resume', uploadId: '={{ $json.uploadId }}' },
			{
				before: [
					scene.node('Create', {
						operation: 'create',
						fileName: '={{ $json.name }}',
						size: '={{ $json.size }}',
					}),
					node('Wait', 'n8n-nodes-base.wait', 1.1, { amount: 6, unit: 'seconds' }),
				],
			},
		);
		const files = [file('reserved.mp4'), file('waiting.mp4')];
		const first = await reserving.start(files.slice(0, 1));
		await scene.service.until(() => scene.service.state.uploads.length === 1);
		const second = await (await scene.workflow()).start(files.slice(1));
		const errors = [(await first.end()).error, (await second.end()).error];
		expect({ errors, names: scene.namesOf(files) }).toEqual({
			errors: ['', ''],
			names: [['reserved.mp4'], ['waiting.mp4']],
		});
	});

	it.concurrent('is waited for while an upload is resumed, which the service delays', async () => {
		const scene = await begin();
		const files = [file('resumed.mp4'), file('waiting.mp4')];
		const [resumed] = files;
		const uploadId = await createUpload(await signedIn(scene.service), resumed?.size ?? 0, 'resumed.mp4');
		scene.service.injectFault({
			on: 'uploadPatch',
			kind: 'status',
			status: 429,
			headers: { 'Retry-After': '6' },
		});
		const first = await (await scene.workflow({ operation: 'resume', uploadId })).start(files.slice(0, 1));
		await scene.service.until(() => scene.service.requestsOf('uploadPatch').length > 0);
		const second = await (await scene.workflow()).start(files.slice(1));
		const errors = [(await first.end()).error, (await second.end()).error];
		expect({ errors, names: scene.namesOf(files) }).toEqual({
			errors: ['', ''],
			names: [['resumed.mp4'], ['waiting.mp4']],
		});
	});

	it.concurrent('is requested by the head of the queue alone', async () => {
		const scene = await begin();
		const slot = await scene.holdSlot();
		const workflow = await scene.workflow({ options: { returnVideo: false } });
		for (let index = 0; index < 10; index++) await workflow.start([file('clip.mp4')]);
		await scene.refusals();
		const before = scene.service.requestsOf('uploadCreate').length;
		await sleep(10_000);
		// One execution alone requests it every 2 to 5 s.
		expect(scene.service.requestsOf('uploadCreate').length - before).toBeLessThan(10);
		await slot.release();
		await scene.service.until(() => scene.service.state.videos.length === 11);
	});

	it.concurrent('is left to another program between the items of a batch', async () => {
		const scene = await begin();
		const slot = await scene.holdSlot();
		const files = Array.from({ length: 20 }, (_, index) => file(`${index}.mp4`));
		scene.service.injectFault({ on: 'uploadPatch', kind: 'delay', ms: 700, times: 1_000, skip: 1 });
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
