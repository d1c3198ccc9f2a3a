import { randomBytes } from 'node:crypto';

import { clockAhead, HOUR_MS, MINUTE_MS, onPause } from '../execution/clock';
import { policies, usualPolicies } from '../execution/policies';
import type { Fault, OperationName } from '../fakeService';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import {
	onTurnOfOthers,
	expectArrived,
	failureOf,
	film,
	films,
	leaveUnfinished,
	mp4Of,
	onlyUpload,
	sha256,
	textOf,
	upload,
} from './uploading';

const BUSY = 'Too many simultaneous uploads, please send one file at a time';
const OTHER_APPLICATION = '9a7c1c1e-6f0b-4a57-9f3e-2b6f5f0c9a11';
/** A UUID is the same one in any case of its letters. */
const UPPER_CASE = '3F1D8C1E-6F0B-4A57-9F3E-2B6F5F0C9A11';

serviceForEachTest({ otherApplicationIds: [OTHER_APPLICATION, UPPER_CASE] });

const refuse = (more: Partial<Fault> = {}) =>
	service.injectFault({ on: 'uploadCreate', kind: 'status', status: 429, error: BUSY, ...more } as Fault);

const CREATE = { operation: 'create', fileName: 'c.mp4', size: 5 };
/** The file names of the uploads that were requested, as they are sent. */
const names = () => service.requestsOf('uploadCreate').map(({ headers }) => headers['upload-metadata']);

const isRefused = () => service.requests.some(({ status }) => status === 429);

it('The upload slot is used by one item after the other, and by executions in the order in which they came', async () => {
	const files = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => mp4Of(name.padEnd(300_000)));
	const runs = await Promise.all(
		[0, 2, 4].map(async (first) => {
			const items = files.slice(first, first + 2).map(async (bytes) => await film(bytes, `${first}.mp4`));
			const { applicationId = '' } = service.credential;
			const credential = { applicationId: first === 2 ? UPPER_CASE : applicationId };
			return await upload(service, { items: await Promise.all(items), credential });
		}),
	);
	expect(service.state.uploads.map((one) => one.sha256).sort()).toEqual(files.map(sha256).sort());
	expect(service.state.maxSimultaneousPatches).toBe(1);
	expect(isRefused()).toBe(false);
	const waited = runs.flatMap(({ items }) => items).filter(({ json }) => Number(json.waitedMs) > 0);
	expect(waited.length).toBeGreaterThanOrEqual(2);
	const lines = runs.flatMap(({ log }) => log.filter((line) => line.includes('waits for')));
	expect(lines.length).toBeGreaterThanOrEqual(2);
	for (const line of lines)
		expect(line).toMatch(/^Upload of "\d\.mp4" waits for another upload of this n8n$/);
});

it('The upload slot is waited for by Create when another program holds it, and by one at a time', async () => {
	service.settings.slotHeldBy = 'transferring';
	refuse({ times: 2 });
	const [first] = await Promise.all(
		['a.mp4', 'b.mp4'].map(
			async (fileName) =>
				await upload(service, { items: [{ json: {} }], parameters: { ...CREATE, fileName } }),
		),
	);
	expect(first?.output).toMatchObject({ size: 5 });
	const [one, two, three, last] = names();
	expect([two, three, last === one]).toEqual([one, one, false]);
	// Also the ID that Resume needs after a crash.
	expect(first?.log).toEqual([
		expect.stringContaining('"a.mp4" waits for the upload slot'),
		expect.stringMatching(/^Upload of "a\.mp4" \([\w-]+\) was created as "a\.mp4": /),
	]);
});

it('The upload slot is waited for until Max Wait or a cancellation while another upload has it, and not by another application', async () => {
	service.injectFault({ on: 'uploadPatch', kind: 'hang', afterBytes: 10 });
	const abort = new AbortController();
	const hanging = failureOf(upload(service, { abortSignal: abort.signal }));
	await service.until(() => service.state.uploads[0]?.offset === 10);
	await upload(service, { credential: { applicationId: OTHER_APPLICATION } });
	const late = await failureOf(upload(service, { options: { maxWaitMinutes: 0.005 } }));
	expect(textOf(late)).toBe(
		'Another upload took longer than Max Wait. Increase Max Wait in the options of this node.',
	);
	const waiting = failureOf(upload(service, { parameters: CREATE, abortSignal: abort.signal }));
	await new Promise((resolve) => setTimeout(resolve, 50));
	abort.abort();
	for (const { message } of [await hanging, await waiting])
		expect(message).toMatch(/^The execution was cancelled/);
	expect(service.state.uploads.map(({ complete }) => complete)).toEqual([false, true]);
});

it('The upload slot is waited for once in a run: after Max Wait, each item that follows asks once', async () => {
	refuse({ times: 1_000 });
	const options = { maxWaitMinutes: 0.02 };
	const items = await films('a.mp4', 'b.mp4', 'c.mp4');
	const run = await upload(service, { items, options, onError: 'continueRegularOutput' });
	for (const { json } of run.items) expect(json.error).toMatchObject({ message: `${BUSY}.` });
	const asked = names();
	expect(asked.filter((name) => name === asked[0]).length).toBeGreaterThan(3);
	expect(asked.filter((name) => name !== asked[0])).toHaveLength(2);
	// Another run waits again.
	const { context, description } = await failureOf(upload(service, { options }));
	expect(description).toMatch(/^Increase Max Wait in the options of this node, or finish the other upload/);
	expect(context.output).toEqual({ uploadId: null, offset: null, size: 1_000_000 });
	expect(names().length).toBeGreaterThan(asked.length + 1);
});

const OTHERS: OperationName[] = ['videoList', 'authenticate', 'uploadHead'];
it.each(OTHERS)('The upload slot is not what a rate limit of %s is about', async (on) => {
	refuse({ on, times: 1_000, headers: { 'Retry-After': '900' }, error: 'Slow down' });
	const failure = await failureOf(upload(service, { options: { skipIfExists: true } }));
	const text = `${failure.message} ${failure.description}`;
	expect(text).toMatch(/Slow down|429/);
	expect(text).toMatch(/Run this again later\./);
	expect(text).not.toContain('Max Wait');
	// The error of an upload contains its offset.
	expect(service.requestsOf(on)).toHaveLength(on === 'uploadHead' ? 2 : 1);
});

it.each(['uploadCreate', 'uploadPatch'] as const)(
	'%s is sent again after the pause that the service asks for, and not earlier',
	async (on) => {
		const asked: number[] = [];
		onPause(7_000, (end) => {
			setTimeout(() => {
				asked.push(service.requestsOf(on).length);
				end();
			}, 100);
		});
		refuse({ on, headers: { 'Retry-After': '7' } });
		await upload(service);
		expect(asked).toEqual([1]);
	},
);

it('The upload slot is left to other programs for longer than they pause, each time it was used for a while', async () => {
	expect(policies.slotTurn.gapMs).toBeGreaterThan(usualPolicies.slot.longestBackoffMs);
	const gapMs = 2 * HOUR_MS;
	policies.slotTurn.gapMs = gapMs;
	const uploadsBefore: number[] = [];
	onTurnOfOthers(service, () => uploadsBefore.push(service.state.uploads.length));
	refuse({ skip: 1, times: 3 });
	const { items } = await upload(service, { items: await films('a', 'b', 'c') });
	expect(uploadsBefore).toEqual([1]);
	// It is no wait for another upload.
	expect(items.map(({ json }) => Number(json.waitedMs) < gapMs)).toEqual([true, true, true]);
});

it('An unfinished upload of this n8n that holds the slot ends the wait of everybody with an error that names it and its file', async () => {
	const leave = async () => await leaveUnfinished(service, { fileName: 'monday.mp4' });
	// The system's clock may be set back meanwhile.
	const uploadId = await clockAhead(MINUTE_MS, leave);
	const items = await films('a.mp4', 'b.mp4');
	service.injectFault({ on: 'uploadHead', kind: 'status', status: 503 });
	const run = await upload(service, { items, onError: 'continueRegularOutput' });
	for (const { json } of run.items) {
		expect(json.error).toMatchObject({
			message: `Unfinished upload ${uploadId} ("monday.mp4", 600 kB of 1 MB) blocks new uploads.`,
			description: 'Finish it with Upload → Resume and the same file, or wait until the service drops it.',
		});
	}
	await expect(upload(service, { parameters: CREATE })).rejects.toThrow(`Unfinished upload ${uploadId}`);
});

it('An unfinished upload of this n8n that holds the slot ends the wait also when the service has none of its bytes, as a proxy refused them', async () => {
	service.injectFault({ on: 'uploadPatch', kind: 'status', status: 413 });
	await failureOf(upload(service, { fileName: 'monday.mp4' }));
	await expect(upload(service)).rejects.toThrow(
		`Unfinished upload ${onlyUpload(service).id} ("monday.mp4", 0 B of 1 MB) blocks new uploads.`,
	);
});

it('An unfinished upload of this n8n that holds the slot does not end the wait when another upload was created since', async () => {
	service.settings.slotHeldBy = 'transferring';
	await leaveUnfinished(service, { fileName: 'monday.mp4' });
	await upload(service, { fileName: 'tuesday.mp4' });
	refuse({ times: 20 });
	expect((await upload(service, { fileName: 'wednesday.mp4' })).output.complete).toBe(true);
});

it.each([
	['has', 11],
	['has dropped', 11],
	['already had', 1],
])(
	'An unfinished upload that may be complete does not end the wait: service %s it',
	async (answer, heads) => {
		policies.leftAfterMs = 0;
		const sent = answer === 'already had' ? 1_000_000 : 600_000;
		await leaveUnfinished(service, { fileName: 'monday.mp4' }, sent);
		Object.assign(onlyUpload(service), { offset: 1_000_000, complete: true });
		if (answer === 'has dropped') service.state.uploads = [];
		const asked = service.requestsOf('uploadHead').length;
		refuse({ times: 10 });
		expect((await upload(service)).output.complete).toBe(true);
		// The last one is about the new upload.
		expect(service.requestsOf('uploadHead')).toHaveLength(asked + heads);
	},
);

it('An unfinished upload of this n8n that holds the slot does not end the wait when Create made it, also partly sent by Resume', async () => {
	policies.leftAfterMs = 0;
	const { output } = await upload(service, { parameters: { ...CREATE, size: 1_000_000 } });
	await leaveUnfinished(service, { resume: output.uploadId as string });
	const failed = failureOf(upload(service, { options: { maxWaitMinutes: 0.005 } }));
	expect((await failed).message).not.toContain('blocks new uploads');
});

it('Resume waits for the execution that sends the upload, also while that waits, and sends nothing of its own', async () => {
	service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 600_000 });
	refuse({ on: 'uploadPatch', times: 6 });
	const sending = upload(service);
	await service.until(isRefused);
	const { id: uploadId } = onlyUpload(service);
	const resumed = upload(service, { resume: uploadId });
	const { bytes, output: sent } = await sending;
	expect(sent.complete).toBe(true);
	expect((await resumed).output.bytesSent).toBe(0);
	expect(onlyUpload(service).sha256).toBe(sha256(bytes));
});

it.each([
	['Resume', true],
	['The next Upload of a pending upload', false],
])('%s gets through while a new upload waits for the slot', async (_who, isResume) => {
	policies.leftAfterMs = 60_000;
	const bytes = randomBytes(1_000_000);
	const uploadId = await leaveUnfinished(service, { bytes });
	const waiting = upload(service, { fileName: 'new.mp4' });
	await service.until(isRefused);
	const { output } = await upload(service, { bytes, resume: isResume ? uploadId : undefined });
	expect(output).toMatchObject({ uploadId, bytesSent: 400_000 });
	expect((await waiting).output.complete).toBe(true);
	expect(service.state.maxSimultaneousPatches).toBe(1);
});

it('However many executions wait for the slot, the service is asked for one new upload per pause', async () => {
	service.settings.slotHeldBy = 'transferring';
	Object.assign(policies.slot, { firstMs: 400, longestBackoffMs: 400 });
	const bytes = randomBytes(1_000_000);
	await leaveUnfinished(service, { bytes });
	// It enters to continue what the service has forgotten.
	service.state.uploads = [];
	refuse({ times: 4 });
	const running = ['a', 'b', 'c'].map(async (fileName) => await upload(service, { fileName }));
	await service.until(isRefused);
	running.push(upload(service, { bytes }), upload(service, { parameters: { ...CREATE, size: 5 } }));
	await Promise.all(running);
	const asked = service.requestsOf('uploadCreate').slice(1);
	expect(asked.map(({ status }) => status)).toEqual([429, 429, 429, 429, 201, 201, 201, 201, 201]);
	for (const index of [0, 1, 2, 3])
		expect((asked[index + 1]?.at ?? 0) - (asked[index]?.at ?? 0)).toBeGreaterThan(190);
	expect(service.state.maxSimultaneousPatches).toBe(1);
});

it('An item whose own upload was replaced, as the service has more bytes of it, does not wait for itself', async () => {
	const beyond = { kind: 'status', status: 201, headers: { 'Upload-Offset': '2000000' } } as const;
	service.injectFault({ on: 'uploadHead', ...beyond, times: 100 });
	service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 5 });
	const { message } = await failureOf(upload(service));
	expect(message).toBe(
		`Unfinished upload ${onlyUpload(service).id} ("keynote.mp4", 2 MB of 1 MB) blocks new uploads.`,
	);
});

it('A response to bytes that claims more than the file has is no reason to replace an upload', async () => {
	const claimed = { status: 201, headers: { 'Upload-Offset': '2000000' }, body: '' };
	service.injectFault({ on: 'uploadPatch', kind: 'status', ...claimed, afterBytes: 600_000 });
	const { bytes } = await upload(service);
	expectArrived(service, bytes);
});

it('Cancelling the execution ends a wait at once, and lets the next execution in', async () => {
	onPause(15_000, () => {});
	refuse({ times: 1_000, headers: { 'Retry-After': '15' } });
	const abort = new AbortController();
	const running = failureOf(upload(service, { abortSignal: abort.signal }));
	await service.until(() => service.requestsOf('uploadCreate').length === 1);
	const next = upload(service);
	await new Promise((resolve) => setTimeout(resolve, 50));
	service.clearFaults();
	abort.abort();
	expect((await running).message).toMatch(/^The execution was cancelled/);
	expect((await next).output.complete).toBe(true);
});
