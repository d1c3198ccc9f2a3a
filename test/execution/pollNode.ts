import { binaryDataService } from './n8nCore';

import { PollContext } from 'n8n-core';
import type { IDataObject, INodeExecutionData, INodeParameters, WorkflowActivateMode } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';

import { VideoHostingTrigger } from '../../nodes/VideoHosting/VideoHostingTrigger.node.ts';
import { credentialStoreOf, type NodeRun } from './executeNode';
import { additionalData, logOf, workflowOfOneNode } from './workflowOfOneNode';

export interface TriggerSetup extends Pick<NodeRun, 'service' | 'credential'> {
	/** The node's parameters; those left out have their defaults. */
	parameters?: INodeParameters;
	/** Zone of the workflow; UTC by default. */
	timezone?: string;
	/** Why n8n activates the workflow: `init` when it starts; by default a person published it. */
	activation?: 'init' | 'activate';
	/** By default another one for each trigger. */
	workflowId?: string;
	/** What n8n's database holds for the workflow, as `saved()` of an active trigger returned it. */
	staticData?: string;
}

export type ActiveTrigger = Awaited<ReturnType<typeof activeTrigger>>;

/**
 * Activates the trigger in n8n-core's own PollContext: one context for all polls, as in a running n8n. A restart of n8n is
 * another one with what was `saved` by the one before.
 */
export async function activeTrigger(setup: TriggerSetup) {
	const { activation = 'activate' } = setup;
	const { context, workflow, nodeType, log } = await contextOf(setup, 'trigger', activation);
	let saved = setup.staticData ?? '{}';
	let isActivation = true;
	let isActive = true;
	const staticData = () => JSON.stringify(workflow.staticData);
	const save = () => {
		// As n8n 2.41.1 does (dist/workflows/workflow-static-data.service.js, saveStaticData).
		if (workflow.staticData.__dataChanged === true) saved = staticData();
		workflow.staticData.__dataChanged = false;
	};
	return {
		/** One poll, the first one being that of the activation: the JSON of its items, or null when n8n emits nothing. */
		poll: async (): Promise<IDataObject[] | null> => {
			const savesAfterwards = isActivation;
			isActivation = false;
			const output = await nodeType.poll.call(context);
			const isEmitted = output !== null && isActive;
			if (savesAfterwards || isEmitted) save();
			return isEmitted ? jsonOf(output) : null;
		},
		/** From now on, n8n discards what its polls return. */
		deactivate: () => {
			isActive = false;
		},
		/** The workflow's static data as JSON, as it stands in memory. */
		staticData,
		/** The same as it stands in n8n's database. */
		saved: () => saved,
		/** n8n writes the static data that has changed: after the activation, and when a trigger of the workflow emits. */
		save,
		/** What the node logged, each line with its level. */
		log,
	};
}

/** A person's click on Fetch Test Event. */
export async function fetchTestEvent(setup: TriggerSetup) {
	const { context, workflow, nodeType } = await contextOf(setup, 'manual', 'manual');
	const items = jsonOf(await nodeType.poll.call(context));
	return { items, staticData: JSON.stringify(workflow.staticData) };
}

function jsonOf(output: INodeExecutionData[][] | null): IDataObject[] | null {
	return output?.[0]?.map(({ json }) => json) ?? null;
}

async function contextOf(setup: TriggerSetup, mode: 'manual' | 'trigger', activation: WorkflowActivateMode) {
	await binaryDataService();
	const nodeType = new VideoHostingTrigger();
	const { workflow, node } = workflowOfOneNode(nodeType, setup.parameters ?? {}, {
		timezone: setup.timezone ?? 'UTC',
		staticData: JSON.parse(setup.staticData ?? '{}') as IDataObject, // what this file wrote
		workflowId: setup.workflowId ?? randomUUID(),
	});
	const data = additionalData(credentialStoreOf(setup));
	const context = new PollContext(workflow, node, data, mode, activation);
	const log = logOf(context, (level, message) => `${level}: ${message}`);
	return { context, workflow, nodeType, log };
}
