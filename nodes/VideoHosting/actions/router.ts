import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { toNodeError } from '../transport/errors';
import { isRecord } from '../shared/jsonFields';
import { cancelSignal } from '../transport/request';
import { diskUsage } from './diskUsage';
import { errorItem } from './errorItem';
import { event } from './event';
import { folder } from './folder';
import { showHints } from './hints';
import { PendingResult, type Operation, type Resource } from './operation';
import { retryMemory } from './retryMemory';
import { upload } from './upload';
import { video } from './video';

const RESOURCES: Resource[] = [diskUsage, event, folder, upload, video];

/** The panel of the node: the Resource list, an Operation list for each resource, and every operation's parameters. */
export const resourceProperties: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: RESOURCES.map(({ option }) => option),
		default: 'upload',
	},
	...RESOURCES.map(operationList),
	...RESOURCES.flatMap(({ operations }) => operations.flatMap(({ properties }) => properties)),
];

function operationList({ option, operations, defaultOperation }: Resource): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [option.value] } },
		options: operations.map((operation) => operation.option),
		default: defaultOperation,
	};
}

/**
 * Runs the chosen operation for one input item after the other and pairs every output item with its input item. When the
 * node continues on errors, a failed item becomes an {@link errorItem} and the next item follows. What an earlier try has
 * completed is returned without running it again.
 *
 * @throws NodeApiError or NodeOperationError that names the item, when the node is to stop on errors
 */
export async function executeItems(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const items = [...context.getInputData().keys()];
	const { completed, hints } = retryMemory(context);
	showHints(context, hints);
	const failed = new Map<number, INodeExecutionData[]>();
	const pending = new Map<number, PendingResult>();
	try {
		for (const itemIndex of items) {
			if (completed.has(itemIndex)) continue;
			try {
				const result = await chosenOperation(context, itemIndex).execute(context, itemIndex);
				if (result instanceof PendingResult) pending.set(itemIndex, result);
				else completed.set(itemIndex, outputItems(context, itemIndex, result));
			} catch (error) {
				failed.set(itemIndex, failedItem(context, itemIndex, error));
			}
			// The item after a failed one is not started.
			if (stopsOnError(context) && [...pending.values()].some(({ failure }) => failure)) break;
		}
		const output = await Promise.all(
			items.map(
				async (itemIndex) =>
					completed.get(itemIndex) ??
					failed.get(itemIndex) ??
					(await pendingOutput(context, itemIndex, pending.get(itemIndex))),
			),
		);
		// n8n changes items of the output; the next try needs them as they are.
		return output.flat().map((item) => ({ ...item }));
	} catch (error) {
		const isTriedAgain = context.getNode().retryOnFail && !isCancelled(context);
		if (!isTriedAgain) for (const { abandon } of pending.values()) abandon();
		throw toNodeError(context, error);
	} finally {
		await Promise.allSettled([...pending.values()].map(async ({ result }) => await result));
		for (const [itemIndex, { result, failure }] of pending) {
			if (!failure) completed.set(itemIndex, outputItems(context, itemIndex, await result));
		}
	}
}

/** @throws NodeApiError or NodeOperationError when the node is to stop on errors */
async function pendingOutput(
	context: IExecuteFunctions,
	itemIndex: number,
	pending: PendingResult | undefined,
): Promise<INodeExecutionData[]> {
	try {
		return pending ? outputItems(context, itemIndex, await pending.result) : [];
	} catch (error) {
		return failedItem(context, itemIndex, error);
	}
}

function outputItems(context: IExecuteFunctions, itemIndex: number, result: unknown): INodeExecutionData[] {
	const { binary } = context.getInputData()[itemIndex] ?? {};
	const kept = chosenOperation(context, itemIndex).keepsBinary && binary ? { binary } : {};
	return jsonObjects(result).map((json) => ({ json, ...kept, pairedItem: { item: itemIndex } }));
}

/** @throws NodeApiError or NodeOperationError when the node is to stop on errors */
function failedItem(context: IExecuteFunctions, itemIndex: number, error: unknown): INodeExecutionData[] {
	const failure = toNodeError(context, error);
	failure.context.itemIndex = itemIndex;
	if (stopsOnError(context)) throw failure;
	return [errorItem(failure, itemIndex, context.getInputData()[itemIndex]?.binary)];
}

/** A cancelled execution starts no further item, whatever the setting. */
function stopsOnError(context: IExecuteFunctions): boolean {
	return !context.continueOnFail() || isCancelled(context);
}

function isCancelled(context: IExecuteFunctions): boolean {
	return cancelSignal(context)?.aborted ?? false;
}

function chosenOperation(context: IExecuteFunctions, itemIndex: number): Operation {
	const resourceName: string = context.getNodeParameter('resource', itemIndex);
	const operationName: string = context.getNodeParameter('operation', itemIndex);
	const operation = RESOURCES.find(({ option }) => option.value === resourceName)?.operations.find(
		({ option }) => option.value === operationName,
	);
	if (operation) return operation;
	throw new NodeOperationError(
		context.getNode(),
		`The node has no operation "${operationName}" for the resource "${resourceName}": choose both from their lists`,
		{ itemIndex },
	);
}

/** Returns each record as an item of its own, and a response that is not an object under `result`. */
function jsonObjects(result: unknown): IDataObject[] {
	if (Array.isArray(result)) return result.flatMap((record: unknown) => jsonObjects(record));
	// JSON that was parsed, or plain data of an operation: an object is an IDataObject.
	return [isRecord(result) ? result : { result: result as IDataObject[string] }];
}
