import { createHash, randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { CredentialStore } from '../../execution/credentialStore';
import { executeNode } from '../../execution/executeNode';
import type { FileServer } from '../../sources/fileServer';
import { startService, type RunningService, type Upload } from '../../fakeService';
import { ledgers } from '../../../nodes/VideoHosting/upload/ledger';
import { contentOf, inputItem } from './files';
import type { PoolFile, Run, Sequence, Step } from './sequence';

/** What one input item of a run came to. */
export interface ItemResult {
	fileName: string;
	content: Buffer;
	/** Output fields of an item that is reported as complete. */
	output: IDataObject | undefined;
	/** Message and description of the error of any other item. */
	error: string | undefined;
	/** ID in the error. */
	uploadId: string | undefined;
	isCancelled: boolean;
	/** Uploads that the service created for it. Not known, and empty, where the run has several items. */
	created: Upload[];
	/** Whether a fault of this run could make the service report an existing upload as unknown. */
	mayForget: boolean;
	/**
	 * Whether the service could confirm a PATCH without storing its bytes, and then report the upload as unknown. A 2xx to the last
	 * byte is all that shows an upload to be complete which the service drops when it is finished, so this one is lost unnoticed.
	 */
	mayLoseConfirmed: boolean;
	/** Requests to the service in the whole run. */
	requests: number;
}

/** An unfinished upload that the next run of the workflow must resume with the same file. */
interface Remembered {
	uploadId: string;
	sha256: string;
}

/** One service, one workflow, and what happens to them in a sequence. */
export class World {
	/** Every upload that the service ever had, also those that it dropped since. */
	readonly uploads = new Set<Upload>();

	/** Contents that were offered for upload, by file name: digests in hexadecimal. */
	readonly offered = new Map<string, Set<string>>();

	private readonly contents = new Map<string, Buffer>();

	/** Of URL sources. */
	private readonly web: FileServer[] = [];

	private staticData: IDataObject = {};

	private workflowId = randomUUID();

	/** By file name and size. */
	private readonly remembered = new Map<string, Remembered>();

	private readonly credentialStore: CredentialStore;

	private constructor(
		readonly service: RunningService,
		private readonly sequence: Sequence,
	) {
		this.credentialStore = new CredentialStore({ accessToken: '', ...service.credential });
		this.watchUploads();
	}

	static async start(sequence: Sequence): Promise<World> {
		return new World(await startService(sequence.settings), sequence);
	}

	async close(): Promise<void> {
		await this.service.close();
		for (const server of this.web) await server.close();
	}

	/** @returns the results of the items of a run; none for other steps */
	async runStep(step: Step): Promise<ItemResult[]> {
		switch (step.kind) {
			case 'run':
				return await this.run(step);
			case 'restart':
				// A process that starts has an empty ledger.
				this.workflowId = randomUUID();
				ledgers.clear();
				if (!step.keepsStaticData) this.staticData = {};
				this.remembered.clear();
				return [];
			case 'serviceForgets':
				this.service.state.uploads = this.service.state.uploads.filter(({ complete }) => complete);
				return [];
			case 'finishElsewhere':
				return await this.finishElsewhere();
		}
	}

	/** ID of the unfinished upload that a run with this file must resume, if there is one. */
	expectedUploadOf(file: PoolFile | undefined): string | undefined {
		if (!file) return undefined;
		const content = contentOf(this.sequence, file);
		const remembered = this.remembered.get(keyOf(file.name, content));
		if (remembered?.sha256 !== digest(content)) return undefined;
		const upload = this.service.state.uploads.find(({ id }) => id === remembered.uploadId);
		return upload && !upload.complete ? upload.id : undefined;
	}

	private async run(run: Run): Promise<ItemResult[]> {
		const files = run.items.map((item) => ({ item, content: contentOf(this.sequence, item) }));
		const items = await Promise.all(
			files.map(async ({ item, content }, index) => await inputItem(item, content, index, this.web)),
		);
		for (const { item, content } of files) this.offer(item.name, content);
		for (const fault of run.faults) this.service.injectFault(fault);
		// n8n stores the static data of an execution as JSON, but not after a manual or a cancelled one.
		const staticData = JSON.parse(JSON.stringify(this.staticData)) as IDataObject;
		const results = await this.execute(items, run, staticData);
		this.service.clearFaults();
		const isCancelled = results.some((result) => result.isCancelled);
		if (run.mode === 'trigger' && !isCancelled) this.staticData = staticData;
		return files.map(({ item, content }, index) => {
			const result = { fileName: item.name, content, ...(results[index] ?? NO_RESULT) };
			this.remember(result);
			return result;
		});
	}

	private async execute(
		items: Awaited<ReturnType<typeof inputItem>>[],
		run: Run,
		staticData: IDataObject,
	): Promise<Array<Omit<ItemResult, 'fileName' | 'content'>>> {
		const { service } = this;
		const cancel = new AbortController();
		const before = service.requests.length;
		const known = new Set(this.uploads);
		if (run.cancelAfterRequests !== undefined) {
			const until = before + run.cancelAfterRequests;
			void service
				.until(() => service.requests.length >= until)
				.then(() => {
					cancel.abort();
				});
		}
		const outcome = await executeNode({
			service,
			items,
			onError: 'continueRegularOutput',
			mode: run.mode,
			staticData,
			workflowId: this.workflowId,
			credentialStore: this.credentialStore,
			abortSignal: cancel.signal,
			parameters: {
				resource: 'upload',
				operation: 'upload',
				source: '={{ $json.url ? "url" : "binary" }}',
				url: '={{ $json.url }}',
				options: {
					returnVideo: false,
					maxWaitMinutes: 0.001,
					maxRequestMegabytes: run.maxRequestMegabytes,
					idleTimeoutSeconds: run.idleTimeoutSeconds,
				},
			},
		}).catch((error: unknown) => error);
		this.seeUploads();
		const shared = {
			isCancelled: cancel.signal.aborted,
			created: items.length > 1 ? [] : [...this.uploads].filter((upload) => !known.has(upload)),
			mayForget: run.faults.some(mayForget),
			mayLoseConfirmed: run.faults.some(mayForget) && run.faults.some(({ kind }) => kind === 'storeFewer'),
			requests: service.requests.length - before,
		};
		if (outcome instanceof Error) {
			return items.map(() => ({ ...shared, output: undefined, ...errorOf(outcome) }));
		}
		// executeNode() returns it; an error was handled above.
		const output = outcome as Awaited<ReturnType<typeof executeNode>>;
		return output.items.map(({ json, error }) =>
			json.complete === true
				? { ...shared, output: json, error: undefined, uploadId: undefined }
				: { ...shared, output: undefined, ...errorOf(error ?? json.error) },
		);
	}

	private async finishElsewhere(): Promise<ItemResult[]> {
		const { service } = this;
		const upload = service.state.uploads.find(({ complete, offset }) => !complete && offset > 0);
		const content = upload && this.startedWith(upload);
		if (!upload || !content) return [];
		await executeNode({
			service,
			items: [
				{
					json: {},
					binary: {
						data: { data: content.toString('base64'), mimeType: 'video/mp4', fileName: upload.filename },
					},
				},
			],
			workflowId: randomUUID(),
			parameters: {
				resource: 'upload',
				operation: 'resume',
				uploadId: upload.id,
				options: { returnVideo: false },
			},
		});
		return [];
	}

	/** The offered file whose first bytes the service has; undefined when it may be more than one. */
	private startedWith(upload: Upload): Buffer | undefined {
		const received = Buffer.concat(upload.content);
		const candidates = [...(this.offered.get(upload.filename) ?? [])]
			.map((sha256) => this.contents.get(sha256) ?? Buffer.alloc(0))
			.filter(
				(content) => content.length === upload.size && content.subarray(0, upload.offset).equals(received),
			);
		return candidates.length === 1 ? candidates[0] : undefined;
	}

	private offer(fileName: string, content: Buffer): void {
		const digests = this.offered.get(fileName) ?? new Set();
		this.offered.set(fileName, digests.add(digest(content)));
		this.contents.set(digest(content), content);
	}

	private remember({ fileName, content, uploadId, output, isCancelled }: ItemResult): void {
		const key = keyOf(fileName, content);
		// What an error without an ID, or a cancelled execution, leaves behind is not promised to be remembered.
		if (output || uploadId === undefined || isCancelled) this.remembered.delete(key);
		else this.remembered.set(key, { uploadId, sha256: digest(content) });
	}

	/** The service replaces its list when it drops uploads; those before and after are seen. */
	private watchUploads(): void {
		const { state } = this.service;
		let { uploads } = state;
		Object.defineProperty(state, 'uploads', {
			get: () => uploads,
			set: (others: Upload[]) => {
				this.seeUploads();
				uploads = others;
			},
		});
	}

	private seeUploads(): void {
		for (const upload of this.service.state.uploads) this.uploads.add(upload);
	}
}

const NO_RESULT = {
	output: undefined,
	error: 'The run returned no item for this input',
	uploadId: undefined,
	isCancelled: false,
	created: [],
	mayForget: false,
	mayLoseConfirmed: false,
	requests: 0,
};

export function digest(content: Buffer): string {
	return createHash('sha256').update(content).digest('hex');
}

function keyOf(fileName: string, content: Buffer): string {
	return `${fileName} ${content.length}`;
}

function mayForget(fault: Run['faults'][number]): boolean {
	return fault.kind === 'forget' || (fault.kind === 'status' && [404, 410].includes(fault.status));
}

/** An error as an item carries it: a message, an object with one, or n8n's own error. */
function errorOf(error: unknown): { error: string; uploadId: string | undefined } {
	const { message, description, uploadId, context } = Object(error) as Record<string, unknown>;
	const output = (context as { output?: { uploadId?: unknown } } | undefined)?.output;
	const id = uploadId ?? output?.uploadId;
	const text = typeof error === 'string' ? error : [message, description].filter(Boolean).join(' ');
	return { error: text, uploadId: typeof id === 'string' ? id : undefined };
}
