import { createHash, randomUUID } from 'node:crypto';

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { CredentialStore } from '../../execution/credentialStore';
import { executeNode } from '../../execution/executeNode';
import { by } from '../../execution/locator';
import { startService, type RunningService, type Upload, type Video } from '../../fakeService';
import { newProcess } from './n8nProcess';
import {
	FOLDERS,
	NAMES,
	TITLES,
	type Execution,
	type Item,
	type Options,
	type Sequence,
	type Step,
} from './sequence';

/** What one input item of an execution came to, in the end. */
export interface Outcome extends Item {
	options: Options;
	/** Upload → Upload ran on the item and returned its output. */
	output: (IDataObject & { video?: IDataObject | null }) | undefined;
	/** Message and description. */
	error: string | undefined;
	/** It was completed in an execution that failed at a later item, so that its output is lost. */
	isUnreported: boolean;
	/** An earlier execution of the same item ended with an error. */
	hadFailed: boolean;
	/** How many processes there were before. */
	process: number;
}

export const contentOf = (index: number) => Buffer.alloc(1_000 + (index % 2), `content ${index} `);
export const thumbnailOf = ({ content, title }: Item) =>
	Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(`${content} ${title}`)]);
export const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

export class World {
	readonly outcomes: Outcome[] = [];

	readonly foreign: Video[];

	/** Every upload that became complete, with the number of processes there were before. */
	readonly complete = new Map<Upload, number>();

	restarts = 0;

	private process = newProcess();

	private staticData: IDataObject = {};

	private readonly workflowId = randomUUID();

	private readonly credentialStore: CredentialStore;

	private constructor(
		readonly service: RunningService,
		sequence: Sequence,
	) {
		this.credentialStore = new CredentialStore({ accessToken: '', ...service.credential });
		const [existing] = service.seedFolders([{ name: FOLDERS[0] }]);
		const now = Date.now();
		const yesterday = now - 86_400_000 + service.settings.clockOffsetMinutes * 60_000;
		this.foreign = service.seedVideos(
			sequence.foreign.map(({ name, folder, appearsAfterMs }) => ({
				name,
				folder: folder === undefined ? null : (existing?.uuid ?? null),
				createdDate: new Date(yesterday).toISOString(),
				appearsAt: appearsAfterMs === 0 ? 0 : now + appearsAfterMs,
			})),
		);
	}

	static async start(sequence: Sequence): Promise<World> {
		return new World(await startService({ applicationId: randomUUID(), ...sequence.settings }), sequence);
	}

	async runStep(step: Step): Promise<void> {
		if (step.kind === 'restart') {
			this.process = newProcess();
			this.restarts++;
			return;
		}
		for (const fault of step.faults) this.service.injectFault(fault);
		if (step.overlap) await Promise.all(step.executions.map(async (each) => await this.execute(each)));
		else for (const each of step.executions) await this.execute(each);
		this.service.clearFaults();
	}

	/** The service is healthy, everything is listed, and each failed item is run again until it is done. */
	async finish(): Promise<void> {
		const { state, settings } = this.service;
		this.service.clearFaults();
		Object.assign(settings, { videoAppearsAfterMs: 0, videoLagSpreadMs: 0, folderAppearsAfterMs: 0 });
		for (const video of state.videos) video.appearsAt = 0;
		for (let round = 0; round < 5; round++) {
			const failed = this.outcomes.filter(({ output, isUnreported }) => !output && !isUnreported);
			if (failed.length === 0) return;
			// A list that still takes long is that of a busy machine.
			if (round === 4) Object.assign(this.process.videoPolicy, { waitMs: 3_000, requestMs: 2_000 });
			for (const outcome of failed) {
				const { options, content, name, title, folder } = outcome;
				this.outcomes.splice(this.outcomes.indexOf(outcome), 1);
				const item = { content, name, title, folder };
				await this.execute({ items: [item], options, tries: 1, loop: false, continues: true }, true);
			}
			// An unfinished upload of another file expires at the service.
			await new Promise((resolve) => setTimeout(resolve, settings.unfinishedUploadExpiryMs / 2));
		}
	}

	private async execute(
		{ items, options, tries, loop, continues }: Execution,
		hadFailed = false,
	): Promise<void> {
		const staticData = JSON.parse(JSON.stringify(this.staticData)) as IDataObject;
		const executionId = randomUUID();
		const runs = loop ? items.map((item) => [item]) : [items];
		const process = this.restarts;
		const add = (item: Item, result: Partial<Outcome>) =>
			this.outcomes.push({
				...item,
				options,
				output: undefined,
				error: undefined,
				isUnreported: false,
				hadFailed,
				process,
				...result,
			});
		const done: Item[] = [];
		for (const [runIndex, run] of runs.entries()) {
			const result = await this.runNode(
				run,
				options,
				{ executionId, runIndex, staticData, continues },
				tries,
			);
			if ('failed' in result) {
				// n8n drops the output of a node that fails, and of the nodes before it in a loop nothing is lost.
				// Later items may be uploaded while the failed one waits for its video.
				for (const [index, item] of run.entries())
					if (index !== result.failed) add(item, { isUnreported: true });
				for (const item of run.slice(result.failed, result.failed + 1)) add(item, { error: result.error });
				break;
			}
			for (const [index, item] of run.entries()) {
				add(item, outcomeOf(result.items[index]));
				done.push(item);
			}
		}
		this.seeUploads();
		this.staticData = staticData;
	}

	private async runNode(
		items: Item[],
		options: Options,
		run: { executionId: string; runIndex: number; staticData: IDataObject; continues: boolean },
		tries: number,
	): Promise<{ items: INodeExecutionData[] } | { failed: number; error: string }> {
		const { continues, ...rest } = run;
		const input = items.map(inputItem);
		for (let attempt = 1; ; attempt++) {
			try {
				return await executeNode({
					service: this.service,
					nodeType: this.process.node,
					items: input,
					...(continues ? { onError: 'continueRegularOutput' as const } : {}),
					retryOnFail: tries > 1,
					mode: 'trigger',
					workflowId: this.workflowId,
					credentialStore: this.credentialStore,
					...rest,
					parameters: {
						resource: 'upload',
						operation: 'upload',
						...(options.folders ? { folder: by('name', '={{ $json.folder }}') } : {}),
						options: {
							...(options.title ? { title: '={{ $json.title }}' } : {}),
							...(options.thumbnail ? { thumbnailBinaryPropertyName: 'thumbnail' } : {}),
							...(options.folders ? { createFolder: true } : {}),
							skipIfExists: options.skipIfExists,
							resumeUnfinished: options.resumeUnfinished,
							returnVideo: options.returnVideo,
							maxWaitMinutes: 0.05,
						},
					},
				});
			} catch (error) {
				this.seeUploads();
				if (attempt < tries) continue;
				const { context } = Object(error) as { context?: { itemIndex?: number } };
				return { failed: context?.itemIndex ?? 0, error: textOf(error) };
			}
		}
	}

	private seeUploads(): void {
		for (const upload of this.service.state.uploads) {
			if (upload.complete && !this.complete.has(upload)) this.complete.set(upload, this.restarts);
		}
	}
}

function inputItem(item: Item): INodeExecutionData {
	const { content, name, title, folder } = item;
	const binary = (bytes: Buffer, mimeType: string, fileName: string) => ({
		data: bytes.toString('base64'),
		mimeType,
		fileName,
	});
	return {
		json: { title: TITLES[title], folder: FOLDERS[folder] },
		binary: {
			data: binary(contentOf(content), 'video/mp4', NAMES[name] ?? ''),
			thumbnail: binary(thumbnailOf(item), 'image/png', 'thumbnail.png'),
		},
	};
}

function outcomeOf(item: INodeExecutionData | undefined): Partial<Outcome> {
	if (!item) return { error: 'The execution returned no item' };
	const { json, error } = item;
	if (json.complete === true || json.skipped === true) return { output: json };
	return { error: textOf(error ?? json.error) };
}

/** Of an error as an item carries it: a message, an object with one, or n8n's own error. */
function textOf(error: unknown): string {
	if (typeof error === 'string') return error;
	const { message, description } = Object(error) as Record<string, unknown>;
	return [message, description].filter((text) => typeof text === 'string').join(' ');
}
