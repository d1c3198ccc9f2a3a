import { createCipheriv, createHash } from 'node:crypto';

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { memories } from '../../../nodes/VideoHosting/upload/memory';
import { credentialStoreOf, executeNode } from '../../execution/executeNode';
import { startService, type RunningService, type Upload } from '../../fakeService';
import { itemByMode } from '../../sources/binaryModes';
import { startFileServer, type FileServer } from '../../sources/fileServer';
import { sha256 } from '../uploading';
import { isDenial, type Execution, type Executions, type Item, type Sequence, type Step } from './sequence';

/** What one input item came to. */
export interface ItemResult {
	execution: Execution;
	item: Item;
	content: Buffer;
	/** Output fields of an item that is reported as complete. */
	output?: IDataObject;
	/** Message and description of the error of any other item. */
	error?: string;
	/** ID of the upload that Resume was to complete. */
	resumed?: string;
	/** ID in the error. */
	uploadId?: string;
	isCancelled: boolean;
}

/** What one step came to. */
export type StepResult = Awaited<ReturnType<World['execute']>>;

/** One service, one n8n, and what happens to them in a sequence. */
export class World {
	/** Every upload that the service ever had, also those that it dropped since. */
	readonly uploads = new Set<Upload>();

	/** Contents that were offered for upload, by file name. */
	readonly offered = new Map<string, Buffer[]>();

	/** The item and content of each upload that is certain. */
	private readonly begun = new Map<string, { item: Item; content: Buffer }>();

	/** Of URL sources. */
	private readonly web: FileServer[] = [];

	private readonly credentialStore;

	private constructor(
		readonly service: RunningService,
		private readonly sequence: Sequence,
	) {
		this.credentialStore = credentialStoreOf({ service });
		void service.until(this.seeUploads);
	}

	static async start(sequence: Sequence): Promise<World> {
		return new World(await startService(sequence.settings), sequence);
	}

	async close(): Promise<void> {
		await this.service.close();
		for (const server of this.web) await server.close();
	}

	/** @returns undefined for a step without executions */
	async runStep(step: Step): Promise<StepResult | undefined> {
		const { state } = this.service;
		if (step.kind === 'executions') return await this.execute(step);
		if (step.kind === 'serviceForgets') state.uploads = state.uploads.filter(({ complete }) => complete);
		if (step.kind === 'restart') {
			memories.clear();
			// A restart takes longer than a new video takes to be listed: what was not listed before it, nobody knows afterwards.
			for (const video of state.videos) video.appearsAt = 0;
		}
		return undefined;
	}

	async execute(step: Executions) {
		const { service } = this;
		const requests = service.requests.length;
		const known = new Set(this.uploads);
		for (const fault of step.faults) service.injectFault(fault);
		const hangs = step.faults.some(({ kind }) => kind === 'hang');
		const items = (
			await Promise.all(step.executions.map(async (execution) => await this.run(execution, hangs)))
		).flat();
		service.clearFaults();
		this.seeUploads();
		const recent = service.requests.slice(requests);
		const created = [...this.uploads].filter((upload) => !known.has(upload));
		const [only, ...others] = items;
		// A request of a cancelled execution may reach the service during the next step.
		if (only && others.length === 0)
			for (const upload of created)
				if (fileNameOf(upload) === only.item.name)
					this.begun.set(upload.id, { item: only.item, content: only.content });
		return {
			items,
			/** Uploads that the service created. */
			created,
			/** IDs of those whose creation had a response. */
			announced: recent
				.filter(({ operation, status }) => operation === 'uploadCreate' && status === 201)
				.map(({ uploadId = '' }) => uploadId),
			/** Whether the service reported an upload as unknown that it had. */
			mayForget: step.faults.some(isDenial),
			/** The only item of the only execution, if there is just one. */
			only: items.length === 1 ? items[0] : undefined,
			/** Requests about uploads to the service. */
			requests: recent.filter(({ operation }) => operation.startsWith('upload')).length,
		};
	}

	/** An unfinished upload with its file, that a Resume is to complete. */
	private resumable({ resume }: Execution) {
		const unfinished = this.service.state.uploads.filter(({ complete }) => !complete);
		const known = unfinished.flatMap(({ id }) => {
			const file = this.begun.get(id);
			return file ? [{ resumed: id, ...file }] : [];
		});
		return resume === undefined ? undefined : known[resume % known.length];
	}

	private async run(execution: Execution, hangs: boolean): Promise<ItemResult[]> {
		const { service } = this;
		const resumable = this.resumable(execution);
		const files = resumable
			? [resumable]
			: execution.items.map((item) => ({ item, content: contentOf(this.sequence, item) }));
		const items: INodeExecutionData[] = [];
		for (const { item, content } of files) {
			this.offered.set(item.name, [...(this.offered.get(item.name) ?? []), content]);
			const { json, ...rest } = await this.inputItem(item, content);
			items.push({ json: { ...json, title: execution.title && nameOf(execution, item) }, ...rest });
		}
		const cancel = new AbortController();
		const { cancelAfterRequests = Infinity, maxRequestMegabytes, retryOnFail, skipIfExists } = execution;
		const until = service.requests.length + cancelAfterRequests;
		void service.until(() => service.requests.length >= until).then(() => cancel.abort());
		const attempt = async (onError?: 'continueRegularOutput') =>
			await executeNode({
				service,
				items,
				onError,
				retryOnFail,
				executionId: String(until),
				credentialStore: this.credentialStore,
				abortSignal: cancel.signal,
				parameters: {
					resource: 'upload',
					...(resumable ? { operation: 'resume', uploadId: resumable.resumed } : { operation: 'upload' }),
					source: '={{ $json.url ? "url" : "binary" }}',
					url: '={{ $json.url }}',
					title: '={{ $json.title }}',
					options: {
						...(resumable ? {} : { skipIfExists }),
						maxWaitMinutes: 0.004,
						maxRequestMegabytes,
						// Where nothing hangs, a loaded machine is no reason to interrupt.
						idleTimeoutSeconds: hangs ? 0.4 : 20,
					},
				},
			});
		const outcome = await (retryOnFail ? attempt() : Promise.reject(new Error('No try before the last one')))
			.catch(async () => await attempt('continueRegularOutput'))
			.catch((error: unknown) => error);
		return files.map((file, index) => {
			const result = { execution, ...file, isCancelled: cancel.signal.aborted };
			if (outcome instanceof Error) return { ...result, ...errorOf(outcome) };
			// executeNode() returns it; an error was handled above.
			const { json = {} } = (outcome as { items: INodeExecutionData[] }).items[index] ?? {};
			const isOutput = json.complete === true || json.skipped === true;
			return { ...result, ...(isOutput ? { output: json } : errorOf(json.error)) };
		});
	}

	private async inputItem({ mode, name, web }: Item, content: Buffer): Promise<INodeExecutionData> {
		if (mode !== 'url') return await itemByMode[mode](content, name);
		const served = await startFileServer(content);
		this.web.push(served);
		const etag = `"${sha256(content)}"`;
		Object.assign(served, {
			etag: { strong: etag, weak: `W/${etag}`, none: undefined }[web.validator],
			ranges: web.ranges,
			// The first request is for the size.
			breaksOffAfter: [Infinity, ...web.breaksOffAfter],
		});
		return { json: { url: `${served.origin}/${name}` } };
	}

	/** Asked after each event, so that uploads that the service drops later are seen. */
	private readonly seeUploads = (): boolean => {
		for (const upload of this.service.state.uploads) this.uploads.add(upload);
		return false;
	};
}

/** Content of a file of the pool: random bytes that its seed determines. */
function contentOf({ sizes, contentSeed }: Sequence, { name, sizeClass, variant }: Item): Buffer {
	const size = sizes[sizeClass] ?? 0;
	const key = createHash('md5').update(`${contentSeed} ${name} ${sizeClass}`).digest();
	const content = createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(size));
	// Also a single byte is no text.
	content.writeUInt8(content.readUInt8(0) | 0x80, 0);
	if (variant === 1) content.subarray(Math.floor(size / 2)).reverse();
	// One byte that differs anywhere is as wrong as many.
	const position = contentSeed % size;
	if (variant === 2) content.writeUInt8(content.readUInt8(position) ^ 1, position);
	return content;
}

/** The name of the item's video in the end. */
export function nameOf({ title }: Execution, { name }: Item): string {
	return title === '' ? name : `${title} ${name}`;
}

/** The name of an upload's file: with a title, it is uploaded under a name with a mark. */
export function fileNameOf({ filename }: Upload): string {
	return filename.replace(/-[0-9a-z]{16}(?=\.mp4$)/, '');
}

/** An error as an item carries it: a message, an object with one, or n8n's own error. */
function errorOf(error: unknown): { error: string; uploadId?: string } {
	const { message = error, description = '', context, ...json } = Object(error) as Record<string, unknown>;
	const { uploadId } = (context as { output?: IDataObject } | undefined)?.output ?? json;
	const text = `${String(message)} ${String(description)}`;
	return { error: text, uploadId: typeof uploadId === 'string' ? uploadId : undefined };
}
