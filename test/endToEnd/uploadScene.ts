import { createHash, randomBytes, randomUUID } from 'node:crypto';

import type { IDataObject, INode } from 'n8n-workflow';

import { createUpload, patch, signedIn } from '../fakeService/axiosClient';
import { startService, type RunningService, type ServiceSettings } from '../fakeService';
import { node, to, UPLOAD, videoHosting, webhook, workflowOf } from '../n8n/workflow';
import { errorOf, type Execution } from '../n8n/execution';
import type { RunningN8n } from '../n8n/instance';
import type { StoredCredential } from '../n8n/rest';

/** A file as a workflow receives it; the fields besides `bytes` are in the item's JSON. */
export interface SceneFile {
	name: string;
	bytes: Buffer;
	size: number;
	title?: string;
	folder?: string;
	url?: string;
}

export function file(name: string, more: Partial<SceneFile> = {}): SceneFile {
	const bytes = more.bytes ?? randomBytes(20_000);
	return { name, ...more, bytes, size: bytes.length };
}

/** What an execution came to. */
export interface SceneRun {
	/** JSON of all output items of the node Upload, of all its runs. */
	items: Array<IDataObject & { video?: IDataObject | null }>;
	/** Message and description of the error that ended the execution; '' for none. */
	error: string;
}

export interface SceneExecution {
	id: string;
	/** Waits for its end. */
	end(deadlineMilliseconds?: number): Promise<SceneRun>;
}

export const TITLE = '={{ $json.title }}';
export const FOLDER = { __rl: true, mode: 'name', value: '={{ $json.folder }}' };

/** A published workflow that receives files by webhook and uploads them. */
export class SceneWorkflow {
	constructor(
		private readonly n8n: RunningN8n,
		readonly id: string,
		private readonly path: string,
	) {}

	async start(files: SceneFile[]): Promise<SceneExecution> {
		const body = JSON.stringify(bodyOf(files));
		const headers = { 'content-type': 'application/json' };
		return this.execution(await this.n8n.rest.postToWebhook(this.id, this.path, { headers, body }));
	}

	private execution(id: string): SceneExecution {
		const end = async (deadline = 90_000) => toRun(await this.n8n.rest.waitForExecution(id, deadline));
		return { id, end };
	}

	async run(files: SceneFile[]): Promise<SceneRun> {
		return await (await this.start(files)).end();
	}
}

function bodyOf(files: SceneFile[]) {
	return { items: files.map(({ bytes, ...json }) => ({ ...json, content: bytes.toString('base64') })) };
}

function toRun(execution: Execution): SceneRun {
	const runs = execution.data.resultData.runData[UPLOAD] ?? [];
	return {
		items: runs.flatMap(({ data }) => data?.main?.[0] ?? []).map(({ json }) => json as SceneRun['items'][0]),
		error: errorOf(execution),
	};
}

/** How a scene's workflow differs from Webhook → one item per file → Upload. */
export interface SceneNodes {
	/** Fields of the node Upload besides its parameters, `retryOnFail` for example. */
	node?: Partial<INode>;
	/** Upload runs once per item, in a Loop Over Items. */
	loop?: boolean;
	/** Nodes between the files and Upload; or instead of Upload. */
	before?: INode[];
	instead?: INode[];
	settings?: IDataObject;
}

/** A service of its own, with its credential in a shared n8n. */
export class Scene {
	private constructor(
		private readonly n8n: RunningN8n,
		readonly service: RunningService,
		readonly credential: StoredCredential,
	) {}

	static async start(n8n: RunningN8n, settings: Partial<ServiceSettings> = {}): Promise<Scene> {
		const service = await startService(settings);
		const credential = await n8n.rest.createCredential('videoHostingApi', randomUUID(), service.credential);
		return new Scene(n8n, service, credential);
	}

	/** A node Upload with these parameters. */
	upload(parameters: IDataObject = {}, more: Partial<INode> = {}): INode {
		return { ...this.node(UPLOAD, { operation: 'upload', ...parameters }), ...more };
	}

	node(name: string, parameters: IDataObject): INode {
		return videoHosting(name, this.credential, { resource: 'upload', ...parameters });
	}

	async workflow(parameters: IDataObject = {}, nodes: SceneNodes = {}): Promise<SceneWorkflow> {
		const path = randomUUID();
		const last = nodes.instead ?? [this.upload(parameters, nodes.node)];
		const loop = node('Loop', 'n8n-nodes-base.splitInBatches', 3, { batchSize: 1, options: {} });
		const chain = [webhook(path), ...filesOfBody(), ...(nodes.before ?? []), ...(nodes.loop ? [loop] : last)];
		const workflow = workflowOf(`Scene ${path}`, chain, nodes.settings);
		if (nodes.loop) {
			workflow.nodes.push(...last);
			// The second output of Loop Over Items is the loop.
			workflow.connections.Loop = { main: [[], ...(to(UPLOAD).main ?? [])] };
			workflow.connections[UPLOAD] = to('Loop');
		}
		return await this.publish(workflow, path);
	}

	async publish(workflow: ReturnType<typeof workflowOf>, path = ''): Promise<SceneWorkflow> {
		const { id } = await this.n8n.rest.createWorkflow(workflow);
		await this.n8n.rest.activateWorkflow(id);
		return new SceneWorkflow(this.n8n, id, path);
	}

	/** Names of the videos that have each file's bytes. */
	namesOf(files: SceneFile[]): string[][] {
		return files.map(({ bytes }) =>
			this.service.state.videos.filter(({ sha256 }) => sha256 === digest(bytes)).map(({ name }) => name),
		);
	}

	/** Another program holds the upload slot until `release()`. */
	async holdSlot(): Promise<{ release(): Promise<void> }> {
		const client = await signedIn(this.service);
		const id = await createUpload(client, 1, 'other.mp4');
		return { release: async () => void (await patch(client, id, 0, Buffer.from('x'))) };
	}

	/** Waits until the service has refused so many uploads. */
	async refusals(count = 1): Promise<void> {
		const refused = () => this.service.requestsOf('uploadCreate').filter(({ status }) => status === 429);
		await this.service.until(() => refused().length >= count);
	}
}

/** One item per file of the webhook's body, with its fields and, unless it has a URL, its bytes. */
function filesOfBody(): INode[] {
	return [
		node('Items', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'body.items', options: {} }),
		node('File', 'n8n-nodes-base.convertToFile', 1.1, {
			operation: 'toBinary',
			sourceProperty: 'content',
			options: { fileName: '={{ $json.name }}', mimeType: 'video/mp4' },
		}),
		// Convert to File drops the fields.
		node('Fields', 'n8n-nodes-base.set', 3.4, {
			mode: 'raw',
			jsonOutput: '={{ { ...$("Items").all()[$itemIndex].json, content: "" } }}',
			includeOtherFields: true,
			options: { stripBinary: false },
		}),
	];
}

function digest(bytes: Buffer): string {
	return createHash('sha256').update(bytes).digest('hex');
}
