import 'reflect-metadata';

import { PollContext } from 'n8n-core';
import {
	Workflow,
	type ICredentialDataDecryptedObject,
	type ICredentialsHelper,
	type IDataObject,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeTypes,
	type IWorkflowExecuteAdditionalData,
	type WorkflowActivateMode,
} from 'n8n-workflow';

import { VideoHostingApi } from '../../credentials/VideoHostingApi.credentials';
import { VideoHostingTrigger } from '../../nodes/VideoHosting/VideoHostingTrigger.node';
import type { ServiceCredential } from '../service';

export interface PollNodeOptions {
	credential: ServiceCredential;
	/** Parameters of the trigger; those left out have the default of its description. */
	parameters?: INodeParameters;
	/** Zone of the workflow; default UTC. */
	timezone?: string;
	/** What n8n's database holds for the workflow, as {@link ActiveTrigger.saved} returned it. */
	saved?: string;
	/** Milliseconds that a poll may take, as n8n's durable scheduler tells it; default n8n's own five minutes. */
	budgetMs?: number;
	/** Leaves out what n8n before 2.38 does not have. */
	olderN8n?: boolean;
}

export interface ActiveTrigger {
	/** One poll as n8n makes it; the first one is the one at activation. The items of the first output, or null. */
	poll(): Promise<IDataObject[] | null>;
	/** The workflow's static data as JSON, as n8n writes it into its database after activation and when a poll emits. */
	saved(): string;
	/** Whether n8n has noticed a change of the static data since the last call. */
	changed(): boolean;
	/** What was logged, with its level. */
	logged: Array<{ level: string; message: string }>;
}

/**
 * The trigger in n8n-core's real PollContext, with one context for all polls as n8n has it while a workflow is active.
 * A restart of n8n is another one with `saved`.
 */
export function activeTrigger(options: PollNodeOptions): ActiveTrigger {
	const { context, workflow, logged } = pollContext(options, 'trigger', 'activate');
	const node = new VideoHostingTrigger();
	return {
		poll: async () => itemsIn(await node.poll.call(context)),
		saved: () => JSON.stringify(workflow.staticData),
		changed: () => {
			const { staticData } = workflow;
			const changed = staticData.__dataChanged === true;
			staticData.__dataChanged = false;
			return changed;
		},
		logged,
	};
}

/** A person's click on Fetch Test Event, with the static data that n8n has for the workflow. */
export async function fetchTestEvent(options: PollNodeOptions): Promise<{ items: IDataObject[]; saved: string }> {
	const { context, workflow } = pollContext(options, 'manual', 'manual');
	const items = itemsIn(await new VideoHostingTrigger().poll.call(context));
	return { items: items ?? [], saved: JSON.stringify(workflow.staticData) };
}

function itemsIn(output: INodeExecutionData[][] | null): IDataObject[] | null {
	return output?.[0]?.map(({ json }) => json) ?? null;
}

function pollContext(
	{ credential, parameters = {}, timezone = 'UTC', saved = '{}', budgetMs, olderN8n = false }: PollNodeOptions,
	mode: 'manual' | 'trigger',
	activation: WorkflowActivateMode,
) {
	const type = new VideoHostingTrigger();
	const defaults = Object.fromEntries(type.description.properties.map(({ name, default: value }) => [name, value]));
	const node: INode = {
		id: 'trigger',
		name: 'Video Hosting Trigger',
		type: 'n8n-nodes-video-hosting.videoHostingTrigger',
		typeVersion: 1,
		position: [0, 0],
		// The defaults of a description are parameters.
		parameters: { ...(defaults as INodeParameters), ...parameters },
		credentials: { videoHostingApi: { id: '1', name: 'Video Hosting' } },
	};
	const nodeTypes: INodeTypes = {
		getByName: () => type,
		getByNameAndVersion: () => type,
		getKnownTypes: () => ({}),
	};
	const workflow = new Workflow({
		id: 'workflow',
		nodes: [node],
		connections: {},
		active: true,
		nodeTypes,
		settings: { timezone },
		staticData: JSON.parse(saved) as IDataObject,
	});
	const context = new PollContext(
		workflow,
		node,
		additionalData(credential),
		mode,
		activation,
		undefined,
		undefined,
		undefined,
		undefined,
		undefined,
		budgetMs === undefined ? undefined : () => budgetMs,
	);
	if (olderN8n) Reflect.deleteProperty(context, 'getPollBudgetMs');
	const logged: ActiveTrigger['logged'] = [];
	const log = (level: string) => (message: string) => void logged.push({ level, message });
	Object.defineProperty(context, 'logger', {
		value: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
	});
	return { context, workflow, logged };
}

/** The part of n8n that keeps credentials, with the token it has after the authenticate exchange. */
function additionalData(credential: ServiceCredential): IWorkflowExecuteAdditionalData {
	const type = new VideoHostingApi();
	let accessToken = '';
	const credentialsHelper: Partial<ICredentialsHelper> = {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		getDecrypted: async () => await Promise.resolve({ ...credential, accessToken }),
		preAuthentication: async (
			helpers: IHttpRequestHelper,
			credentials: ICredentialDataDecryptedObject,
			_typeName: string,
			_node: INode,
			credentialsExpired: boolean,
		) => {
			if (credentials.accessToken !== '' && !credentialsExpired) return undefined;
			const renewed = await type.preAuthentication.call(helpers, credentials);
			accessToken = renewed.accessToken;
			return renewed;
		},
		authenticate: async (credentials: ICredentialDataDecryptedObject, _type: string, request: unknown) =>
			// n8n hands on the options that its HTTP helper was called with.
			await type.authenticate(credentials, request as IHttpRequestOptions),
	};
	// A poll needs nothing else of what an execution has.
	return { credentialsHelper } as IWorkflowExecuteAdditionalData;
}
