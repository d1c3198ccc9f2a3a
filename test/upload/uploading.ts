import { randomBytes } from 'node:crypto';

import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { withAdvice, type N8nError } from '../../nodes/VideoHosting/transport/serviceError';
import { onPause } from '../execution/clock';
import { executeNode, itemWithFile, type NodeRun } from '../execution/executeNode';
import { by } from '../execution/locator';
import { policies } from '../execution/policies';
import { runWorkflow } from '../execution/runWorkflow';
import type { Fault, RunningService, Upload, Video } from '../fakeService';
import { mp4Of, sha256 } from '../n8n/files';

export { mp4Of, sha256 };

/** What a gateway answers instead of the service. */
export const WEB_PAGE = {
	body: '<!DOCTYPE html><html><body>Please sign in to the network</body></html>',
	headers: { 'content-type': 'text/html' },
};

/** From now on, the service lists the videos of uploads later than anybody waits for them. */
export function listLate(service: RunningService, waitMs = 250): void {
	service.settings.videoAppearsAfterMs = 3_600_000;
	policies.newVideo.passes.totalMs = waitMs;
}

/** From now on, the service lists the video of each upload at once. */
export function listNow(service: RunningService): void {
	service.settings.videoAppearsAfterMs = 0;
	for (const video of service.state.videos) video.appearsAt = 0;
}

/** From now on, the first upload uses the slot for a minute. Calls back in the turn of other programs after it. */
export function onTurnOfOthers(service: RunningService, turn: () => void): void {
	const { gapMs, useMs } = policies.slotTurn;
	const now = performance.now.bind(performance);
	let turnsMs = 0;
	const isUsed = () => service.requestsOf('uploadCreate').length > 0;
	jest.spyOn(performance, 'now').mockImplementation(() => now() + (isUsed() ? useMs : 0) + turnsMs);
	onPause(gapMs, (end) => {
		turnsMs += gapMs;
		turn();
		end();
	});
}

/** Creates a folder, and chooses it by its UUID. */
export function newFolder(service: RunningService) {
	const [{ uuid = '' } = {}] = service.seedFolders(1);
	return { ...by('uuid', uuid), value: uuid };
}

/** What a run of a node is rejected with: an error of n8n. */
export async function failureOf(running: Promise<unknown>): Promise<N8nError> {
	const error = await running.then(
		() => new Error('It did not fail'),
		(thrown: unknown) => thrown,
	);
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	throw error;
}

/** Message and advice of an error, as an error item shows them. */
export function textOf({ message, description }: N8nError): string {
	return withAdvice({ message, advice: description ?? '' });
}

export interface UploadRun extends Partial<NodeRun> {
	/** Content of the file; a megabyte of random bytes by default. */
	bytes?: Buffer;
	fileName?: string;
	title?: string;
	/** ID of the upload to resume; by default, the operation is Upload. */
	resume?: string;
	options?: IDataObject;
	/** Instead of a file in filesystem mode. */
	item?: INodeExecutionData;
	/** Address of the file. */
	url?: string;
}

/** An item with a video file: a megabyte of random bytes by default. */
export async function film(
	bytes: Buffer = randomBytes(1_000_000),
	fileName = 'keynote.mp4',
): Promise<INodeExecutionData> {
	return await itemWithFile(bytes, { fileName, mimeType: 'video/mp4' });
}

/** An item of each name, each with a megabyte of random bytes. */
export async function films(...fileNames: string[]): Promise<INodeExecutionData[]> {
	return await Promise.all(fileNames.map(async (fileName) => await film(undefined, fileName)));
}

/** Runs Upload → Upload on one file, or on `items`. Return Video is off, so that all requests are about the upload, unless an option switches it on. */
export async function upload(
	service: Pick<RunningService, 'credential'>,
	{
		bytes = randomBytes(1_000_000),
		fileName,
		options,
		item,
		resume,
		title = '',
		url,
		...run
	}: UploadRun = {},
) {
	const result = await executeNode({
		service,
		...run,
		items: run.items ?? [item ?? (await film(bytes, fileName))],
		parameters: {
			resource: 'upload',
			...(url !== undefined && { source: 'url', url }),
			...(resume === undefined ? { operation: 'upload' } : { operation: 'resume', uploadId: resume }),
			title,
			options: { returnVideo: false, ...options },
			...run.parameters,
		},
	});
	return { ...result, output: result.items[0]?.json ?? {}, bytes };
}

/** Uploads a part of a file, after which the service rejects the upload. Returns the ID of the upload. */
export async function leaveUnfinished(
	service: RunningService,
	run: UploadRun,
	afterBytes = 600_000,
): Promise<string> {
	service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes });
	const { context } = await failureOf(upload(service, run));
	return (context.output as { uploadId: string }).uploadId;
}

/** The only upload that the service has. */
export function onlyUpload(service: RunningService): Upload {
	const [first, ...others] = service.state.uploads;
	expect(others).toEqual([]);
	if (!first) throw new Error('The service has no upload');
	return first;
}

/** The video of the upload that an output is about. */
export function videoOf(service: RunningService, { uploadId }: IDataObject): Video | undefined {
	return service.state.videos.find((video) => video.uploadId === uploadId);
}

/** The file arrived byte for byte, and no byte that the service had acknowledged was sent to it again. */
export function expectArrived(service: RunningService, bytes: Buffer): void {
	const { sha256: arrived, bytesReceived, complete } = onlyUpload(service);
	expect({ complete, sha256: arrived, bytesReceived }).toEqual({
		complete: true,
		sha256: sha256(bytes),
		bytesReceived: bytes.length,
	});
}

export const TITLED = { title: 'Interview' };
export const RETURNED = { options: { returnVideo: true } };

/** From now on, the service rejects the next renaming of a video. */
export function rejectTitle(service: RunningService, more: Partial<Fault> = {}): void {
	service.injectFault({ on: 'videoEdit', kind: 'status', status: 400, ...more } as Fault);
}

/** Uploads with Retry On Fail. Returns the error of the last try. */
export async function retried(
	service: RunningService,
	item: INodeExecutionData,
	parameters: INodeParameters,
) {
	const { runs } = await runWorkflow({
		...{ service, rounds: [[item]], settings: { retryOnFail: true, maxTries: 3 } },
		parameters: { resource: 'upload', operation: 'upload', ...parameters },
	});
	return runs[0]?.error;
}

/** Changes a video by an operation of the node. */
export async function changeVideo(service: RunningService, parameters: INodeParameters): Promise<void> {
	await executeNode({ service, parameters: { resource: 'video', ...parameters } });
}
