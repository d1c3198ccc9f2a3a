import { binaryDataService } from './n8nCore';

import { randomUUID } from 'node:crypto';

import { PollContext } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	WorkflowActivateMode,
} from 'n8n-workflow';

import { VideoHostingTrigger } from '../../nodes/VideoHosting/VideoHostingTrigger.node';
import type { RunningService } from '../fakeService';
import { CredentialStore } from './credentialStore';
import { additionalData, workflowOfOneNode } from './workflowOfOneNode';

export interface TriggerSetup {
	service: Pick<RunningService, 'credential'>;
	/** The node as loaded from elsewhere, the packed package for instance; by default the one of these sources. */
	nodeType?: VideoHostingTrigger;
	/** The node's parameters; those left out have their defaults. */
	parameters?: INodeParameters;
	/** Fields of the credential that differ from the service's own. */
	credential?: ICredentialDataDecryptedObject;
	credentialStore?: CredentialStore;
	/** Zone of the workflow; UTC by default. */
	timezone?: string;
	/** Why n8n activates the workflow: `init` when it starts; by default a person published it. */
	activation?: 'init' | 'activate';
	/** By default another one for each trigger, as no two of them share a process. */
	workflowId?: string;
	/** What n8n's database holds for the workflow, as {@link ActiveTrigger.saved} returned it. */
	staticData?: string;
	/** Milliseconds that a poll may take, as n8n's durable scheduler sets it; n8n's own five minutes by default. */
	budgetMs?: number;
	/**
	 * The poll works on a copy of its cursor, as with n8n's durable poll cursors (n8n 2.41.1
	 * dist/workflows/triggers/trigger-execution-context.factory.js, takeStagedCursor); here
	 * no cursor is committed.
	 */
	durableCursor?: boolean;
	/** Leaves out what n8n before 2.38 does not have. */
	olderN8n?: boolean;
}

export interface ActiveTrigger {
	/** One poll, the first one being that of the activation: the JSON of its items, or null when n8n emits nothing. */
	poll(): Promise<IDataObject[] | null>;
	/** From now on, n8n discards what its polls return. */
	deactivate(): void;
	/** The workflow's static data as JSON, as it stands in memory. */
	staticData(): string;
	/** The same as it stands in n8n's database: n8n writes it after the activation and whenever a poll emits. */
	saved(): string;
	/** Whether n8n has noticed a change of the static data since the last check. */
	staticDataChanged(): boolean;
	credentialStore: CredentialStore;
	/** What the node logged, each line with its level. */
	log: string[];
}

/**
 * Activates the trigger in n8n-core's own PollContext: one context for all polls, as in a running n8n. A restart of n8n is
 * another one with what was `saved` by the one before.
 */
export async function activeTrigger(setup: TriggerSetup): Promise<ActiveTrigger> {
	const { context, workflow, nodeType, credentialStore, log } = await pollContext(
		setup,
		'trigger',
		setup.activation ?? 'activate',
	);
	let saved: string | undefined;
	let isActive = true;
	return {
		poll: async () => {
			const isActivation = saved === undefined;
			saved ??= JSON.stringify(workflow.staticData);
			const output = await nodeType.poll.call(context);
			const isEmitted = output !== null && isActive;
			if (isEmitted) context.__emit(output);
			if (isActivation || isEmitted) saved = JSON.stringify(workflow.staticData);
			return isEmitted ? jsonOf(output) : null;
		},
		deactivate: () => {
			isActive = false;
		},
		saved: () => saved ?? JSON.stringify(workflow.staticData),
		staticData: () => JSON.stringify(workflow.staticData),
		staticDataChanged: () => {
			const { staticData } = workflow;
			const changed = staticData.__dataChanged === true;
			staticData.__dataChanged = false;
			return changed;
		},
		credentialStore,
		log,
	};
}

/** A person's click on Fetch Test Event. */
export async function fetchTestEvent(
	setup: TriggerSetup,
): Promise<{ items: IDataObject[] | null; staticData: string }> {
	const { context, workflow, nodeType } = await pollContext(setup, 'manual', 'manual');
	const items = jsonOf(await nodeType.poll.call(context));
	return { items, staticData: JSON.stringify(workflow.staticData) };
}

function jsonOf(output: INodeExecutionData[][] | null): IDataObject[] | null {
	return output?.[0]?.map(({ json }) => json) ?? null;
}

async function pollContext(
	setup: TriggerSetup,
	mode: 'manual' | 'trigger',
	activation: WorkflowActivateMode,
) {
	await binaryDataService();
	const { budgetMs, durableCursor, nodeType = new VideoHostingTrigger() } = setup;
	const { workflow, node } = workflowOfOneNode(nodeType, setup.parameters ?? {}, {
		timezone: setup.timezone ?? 'UTC',
		staticData: JSON.parse(setup.staticData ?? '{}') as IDataObject, // what this file wrote
	});
	workflow.id = setup.workflowId ?? randomUUID();
	const credentialStore =
		setup.credentialStore ??
		new CredentialStore({ accessToken: '', ...setup.service.credential, ...setup.credential });
	const cursor = durableCursor
		? (JSON.parse(JSON.stringify(workflow.getStaticData('node', node))) as IDataObject) // a plain copy
		: undefined;
	const context = new PollContext(
		workflow,
		node,
		additionalData(credentialStore),
		mode,
		activation,
		() => {},
		undefined,
		undefined,
		undefined,
		cursor && (() => cursor),
		budgetMs === undefined ? undefined : () => budgetMs,
	);
	if (setup.olderN8n) Reflect.deleteProperty(context, 'getPollBudgetMs');
	const log: string[] = [];
	const write = (level: string) => (message: string) => void log.push(`${level}: ${message}`);
	Object.defineProperty(context, 'logger', {
		value: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
	});
	return { context, workflow, nodeType, credentialStore, log };
}
