import { binaryDataService } from './n8nCore';

import { ExecuteContext } from 'n8n-core';
import {
	createRunExecutionData,
	type IBinaryData,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type INodeExecutionData,
	type INodeParameters,
	type NodeExecutionHint,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { VideoHosting } from '../../nodes/VideoHosting/VideoHosting.node.ts';
import type { RunningService } from '../fakeService';
import { CredentialStore } from './credentialStore';
import { additionalData, logOf, workflowOfOneNode, type WorkflowSettings } from './workflowOfOneNode';

export interface NodeRun extends WorkflowSettings {
	service: Pick<RunningService, 'credential'>;
	/** `resource`, `operation` and the operation's parameters. */
	parameters: INodeParameters;
	/** Input items; one empty item by default. */
	items?: INodeExecutionData[];
	/** How often the node has run in this execution before; 0 by default. */
	runIndex?: number;
	executionId?: string;
	mode?: WorkflowExecuteMode;
	/** Fields of the credential that differ from the service's own. */
	credential?: ICredentialDataDecryptedObject;
	/** A credential that outlives one run, to see its token in the next one. */
	credentialStore?: CredentialStore;
	abortSignal?: AbortSignal;
}

export type NodeRunResult = Awaited<ReturnType<typeof executeNode>>;

/**
 * Runs the Video Hosting node in n8n-core's own ExecuteContext, over n8n's own HTTP helpers, against a running service.
 *
 * @returns `html`: the hints as the node adds them
 * @throws what the node throws
 */
export async function executeNode(run: NodeRun) {
	const { context, nodeType, ...rest } = await executeContext(run);
	const [items = []] = await nodeType.execute.call(context);
	const html = context.hints.map(({ message }) => message);
	return { items, html, hints: context.hints.map(asShown), ...rest };
}

const CHARACTERS: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** A hint as n8n shows it, which renders its HTML. */
function asShown({ message, type }: NodeExecutionHint) {
	return { message: message.replace(/&(\w+);/g, (_, name: string) => CHARACTERS[name] ?? ''), type };
}

/** The JSON of each output item. */
export async function executeForJson(run: NodeRun): Promise<IDataObject[]> {
	const { items } = await executeNode(run);
	return items.map(({ json }) => json);
}

/** The context that n8n-core makes for one run of the node. */
export async function executeContext(run: NodeRun) {
	await binaryDataService();
	const nodeType = new VideoHosting();
	const { items = [{ json: {} }] } = run;
	const { workflow, node } = workflowOfOneNode(nodeType, run.parameters, run);
	const credentialStore = run.credentialStore ?? credentialStoreOf(run);
	/** What goes to the browser's console in a manual run. */
	const consoleMessages: unknown[] = [];
	const data = additionalData(credentialStore, (_type, message) => consoleMessages.push(message));
	const inputData = { main: [items] };
	const context = new ExecuteContext(
		workflow,
		node,
		{ ...data, executionId: run.executionId ?? '1' },
		run.mode ?? 'manual',
		createRunExecutionData({}),
		run.runIndex ?? 0,
		items,
		inputData,
		{ node, data: inputData, source: null },
		[],
		run.abortSignal,
	);
	return { context, nodeType, consoleMessages, log: logOf(context), credentialStore };
}

/** A credential of the service that has no token yet. */
export function credentialStoreOf({ service, credential }: Pick<NodeRun, 'service' | 'credential'>) {
	return new CredentialStore({ accessToken: '', ...service.credential, ...credential });
}

/** An input item with a file that n8n keeps as it would in production (`filesystem-v2`), in a field of this name. */
export async function itemWithFile(
	bytes: Buffer,
	{ field = 'data', ...file }: Pick<IBinaryData, 'fileName' | 'mimeType'> & { field?: string },
): Promise<INodeExecutionData> {
	const service = await binaryDataService();
	const location = { type: 'execution', workflowId: 'workflow', executionId: '1' } as const;
	return { json: {}, binary: { [field]: await service.store(location, bytes, { ...file, data: '' }) } };
}

/** An input item with a file in memory, as n8n 1.x keeps it by default. */
export function itemWithFileInMemory(bytes: Buffer, file: Pick<IBinaryData, 'fileName' | 'mimeType'>) {
	return { json: {}, binary: { data: { ...file, data: bytes.toString('base64'), bytes: bytes.length } } };
}
