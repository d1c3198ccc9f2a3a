import { binaryDataService } from './n8nCore';

import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { ExecuteContext } from 'n8n-core';
import {
	createRunExecutionData,
	type IBinaryData,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type NodeExecutionHint,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import type { Readable } from 'node:stream';

import { VideoHosting } from '../../nodes/VideoHosting/VideoHosting.node';
import type { RunningService } from '../fakeService';
import { CredentialStore } from './credentialStore';
import { additionalData, workflowOfOneNode } from './workflowOfOneNode';

export interface NodeRun {
	service: Pick<RunningService, 'credential'>;
	/** The node as loaded from elsewhere, the packed package for instance; by default the one of these sources. */
	nodeType?: VideoHosting;
	/** `resource`, `operation` and the operation's parameters. */
	parameters: INodeParameters;
	/** Input items; one empty item by default. */
	items?: INodeExecutionData[];
	onError?: INode['onError'];
	retryOnFail?: boolean;
	/** How often the node has run in this execution before; 0 by default. */
	runIndex?: number;
	executionId?: string;
	mode?: WorkflowExecuteMode;
	/** Zone of the workflow; Europe/Berlin by default. */
	timezone?: string;
	/** Fields of the credential that differ from the service's own. */
	credential?: ICredentialDataDecryptedObject;
	/** A credential that outlives one run, to see its token in the next one. */
	credentialStore?: CredentialStore;
	/** What the workflow remembered before; the same object is changed by the run. */
	staticData?: IDataObject;
	/** ID of the workflow, to distinguish two of them. */
	workflowId?: string;
	binaryMode?: 'combined';
	abortSignal?: AbortSignal;
	/** As n8n 1.x: a token is renewed on 401 alone, and ignoring status errors has no exceptions
	 * (docs/n8n-internals.md#token-renewal). */
	olderN8n?: boolean;
}

export interface NodeRunResult {
	items: INodeExecutionData[];
	hints: NodeExecutionHint[];
	/** What went to the browser's console in a manual run. */
	consoleMessages: unknown[];
	/** The messages that the node wrote to n8n's log at the level info. */
	log: string[];
	credentialStore: CredentialStore;
	staticData: IDataObject;
}

type NodeContext = Omit<NodeRunResult, 'items' | 'hints'> & {
	context: ExecuteContext;
	nodeType: VideoHosting;
};

/**
 * Runs the Video Hosting node in n8n-core's own ExecuteContext, over n8n's own HTTP helpers, against a running service.
 *
 * @throws what the node throws
 */
export async function executeNode(run: NodeRun): Promise<NodeRunResult> {
	const { context, nodeType, ...rest } = await executeContext(run);
	const [output = []] = await nodeType.execute.call(context);
	return { items: output, hints: context.hints, ...rest };
}

/** The context that n8n-core makes for one run of the node. */
export async function executeContext(run: NodeRun): Promise<NodeContext> {
	await binaryDataService();
	const nodeType = run.nodeType ?? new VideoHosting();
	const staticData = run.staticData ?? {};
	const { workflow, node } = workflowOfOneNode(nodeType, run.parameters, { ...run, staticData });
	const credentialStore =
		run.credentialStore ??
		new CredentialStore({ accessToken: '', ...run.service.credential, ...run.credential });
	const consoleMessages: unknown[] = [];
	const items = run.items ?? [{ json: {} }];
	const inputData = { main: [items] };
	const context = new ExecuteContext(
		workflow,
		node,
		{
			...additionalData(credentialStore, (_type, data) => consoleMessages.push(data)),
			executionId: run.executionId ?? '1',
		},
		run.mode ?? 'manual',
		createRunExecutionData({}),
		run.runIndex ?? 0,
		items,
		inputData,
		{ node, data: inputData, source: null },
		[],
		run.abortSignal,
	);
	if (run.olderN8n) forgetRenewalStatuses(context);
	const log = recordLog(context);
	return { context, nodeType, consoleMessages, log, credentialStore, staticData };
}

/** Keeps what the node writes to n8n's log at the level info, which is passed on. */
function recordLog(context: ExecuteContext): string[] {
	const messages: string[] = [];
	// Once read, the context's own logger can no longer be replaced.
	const n8nLogger = Container.get(Logger);
	const info: typeof n8nLogger.info = (message, metadata) => {
		messages.push(message);
		n8nLogger.info(message, metadata);
	};
	const logger: unknown = Object.create(n8nLogger, { info: { value: info } });
	Object.defineProperty(context, 'logger', { value: logger, configurable: true });
	return messages;
}

function forgetRenewalStatuses({ helpers }: ExecuteContext): void {
	const newer = { ...helpers };
	helpers.httpRequestWithAuthentication = async function (credentialsType, options, additional) {
		const { credentialsDecrypted } = additional ?? {};
		options.ignoreHttpStatusErrors = Boolean(options.ignoreHttpStatusErrors);
		// The helper returns any.
		return (await newer.httpRequestWithAuthentication.call(this, credentialsType, options, {
			credentialsDecrypted,
		})) as unknown;
	};
}

/** The JSON of each output item. */
export async function executeForJson(run: NodeRun): Promise<IDataObject[]> {
	const { items } = await executeNode(run);
	return items.map(({ json }) => json);
}

/** An input item with a file that n8n keeps as it would in production (`filesystem-v2`). */
export async function itemWithFile(
	bytes: Buffer | Readable,
	file: { fileName?: string; mimeType: string; field?: string },
): Promise<INodeExecutionData> {
	const service = await binaryDataService();
	const binaryData: IBinaryData = { data: '', mimeType: file.mimeType, fileName: file.fileName };
	const stored = await service.store(
		{ type: 'execution', workflowId: 'workflow-of-one-node', executionId: '1' },
		bytes,
		binaryData,
	);
	return { json: {}, binary: { [file.field ?? 'data']: stored } };
}

/** An input item with a file in memory, as n8n 1.x keeps it by default. */
export function itemWithFileInMemory(
	bytes: Buffer,
	file: { fileName?: string; mimeType: string; field?: string },
): INodeExecutionData {
	const binaryData: IBinaryData = {
		data: bytes.toString('base64'),
		mimeType: file.mimeType,
		fileName: file.fileName,
		bytes: bytes.length,
	};
	return { json: {}, binary: { [file.field ?? 'data']: binaryData } };
}
