import type { IBinaryKeyData, IDataObject, INode } from 'n8n-workflow';

import type { RunningService } from '../fakeService';
import { exampleWorkflow, importExampleWorkflow } from '../n8n/exampleWorkflows';
import { errorOf, type Execution } from '../n8n/execution';
import type { RunningN8n } from '../n8n/instance';
import type { StoredCredential, StoredWorkflow } from '../n8n/rest';
import { OutsideServices } from './outsideServices';
import { joinTestEnvironment, type TestEnvironment } from './testEnvironment';

interface Changes {
	/** Output of nodes that reach for outside services, pinned as a user pins it in the editor. */
	pinned?: Record<string, object[]>;
	/** Files of each pinned item, by name of its binary field. */
	files?: IBinaryKeyData;
	/** By node name: what of the node differs from the template; parameters are laid over its own. */
	change?: Record<string, Partial<INode> | ((node: INode) => Partial<INode>)>;
	/** IANA time zone of the workflow; by default that of the template. */
	timezone?: string;
}

/** Templates in a real n8n, and the services that they speak to. */
export class TemplateWorld {
	private constructor(
		private readonly environment: TestEnvironment,
		readonly outside: OutsideServices,
	) {}

	static async start(): Promise<TemplateWorld> {
		const outside = new OutsideServices();
		await outside.start();
		return new TemplateWorld(await joinTestEnvironment(), outside);
	}

	get n8n(): RunningN8n {
		return this.environment.n8n;
	}

	get service(): RunningService {
		return this.environment.service;
	}

	get credential(): StoredCredential {
		return this.environment.credential;
	}

	/** Forgets what earlier tests did. */
	clear(): void {
		this.service.requests.length = 0;
		Object.assign(this.service.state, { events: [], folders: [], videos: [], uploads: [] });
		this.outside.messages.length = 0;
		this.outside.chats.length = 0;
	}

	async end(): Promise<void> {
		await this.environment.remove();
		await this.outside.close();
	}

	/** Imports a template and changes it. Throws when it lacks a node that is to be changed. */
	async imported(name: string, { pinned = {}, files, change = {}, timezone }: Changes = {}) {
		const names = exampleWorkflow(name).nodes.map((node) => node.name);
		for (const changed of [...Object.keys(pinned), ...Object.keys(change)])
			if (!names.includes(changed)) throw new Error(`${name} has no node "${changed}"`);
		const { id, nodes } = await importExampleWorkflow(this.n8n, name, this.credential, timezone);
		const itemsOf = (items: object[]) =>
			items.map((json) => ({ json: json as IDataObject, ...(files && { binary: files }) }));
		return await this.n8n.rest.updateWorkflow(id, {
			nodes: nodes.map((node) => changedNode(node, change[node.name])),
			pinData: Object.fromEntries(Object.entries(pinned).map(([node, items]) => [node, itemsOf(items)])),
		});
	}

	/** Runs a workflow, and expects it to succeed. */
	async run({ id }: StoredWorkflow, triggerName: string): Promise<Execution> {
		return await this.success(await this.n8n.rest.runWorkflow(id, triggerName));
	}

	async success(executionId: string): Promise<Execution> {
		const execution = await this.n8n.rest.waitForExecution(executionId);
		expect([errorOf(execution), execution.status]).toEqual(['', 'success']);
		return execution;
	}

	/** Replaces a node that sends a message: posts the same text. */
	readonly postsInstead = ({ parameters: { text } }: INode): Partial<INode> => ({
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			method: 'POST',
			url: `${this.outside.url}/messages`,
			sendBody: true,
			bodyParameters: { parameters: [{ name: 'message', value: text ?? '' }] },
			options: {},
		},
	});

	/** Replaces the download from Google Drive; like it, adds the file to the item's other binary data. */
	readonly downloadsInstead = ({ parameters }: INode): Partial<INode> => {
		// The template chooses the file by an ID: a resource locator with an expression.
		const { value } = parameters.fileId as { value: string };
		return {
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: {
				url: value.replace('{{', `${this.outside.url}/files/{{`),
				options: { response: { response: { responseFormat: 'file' } } },
			},
		};
	};
}

function changedNode(node: INode, wanted: Partial<INode> | ((node: INode) => Partial<INode>) = {}): INode {
	const { parameters, ...rest } = typeof wanted === 'function' ? wanted(node) : wanted;
	// A node of another type takes over no parameter of the one that it replaces.
	const kept = rest.type === undefined ? node.parameters : {};
	return { ...node, ...rest, parameters: { ...kept, ...parameters } };
}
