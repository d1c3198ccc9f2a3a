import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { toNodeError } from '../transport/errors';
import { isRecord } from '../shared/jsonFields';
import { cancelSignal } from '../transport/request';
import { diskUsage } from './diskUsage';
import { errorItem } from './errorItem';
import { event } from './event';
import { folder } from './folder';
import { PendingResult, type Operation, type Resource } from './operation';
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
 * node continues on errors, a failed item becomes an {@link errorItem} and the next item follows.
 *
 * @throws NodeApiError or NodeOperationError that names the item, when the node is to stop on errors
 */
export async function executeItems(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const results: ItemResult[] = [];
	try {
		for (const itemIndex of context.getInputData().keys()) {
			results.push(await itemResult(context, itemIndex, async () => await execute(context, itemIndex)));
			// The item after a failed one is not started.
			const failure = results.find((result) => result.failure)?.failure;
			if (failure) throw failure;
		}
		return (await Promise.all(results.map(async ({ output }) => await output))).flat();
	} catch (error) {
		for (const { abandon } of results) abandon();
		await Promise.allSettled(results.map(async ({ output }) => await output));
		throw toNodeError(context, error);
	}
}

/** The output of one input item, which may still be completed. */
interface ItemResult {
	output: Promise<INodeExecutionData[]>;
	abandon: () => void;
	/** Why the node stops, once the result has been completed in vain. */
	failure?: ReturnType<typeof toNodeError>;
}

async function execute(context: IExecuteFunctions, itemIndex: number): Promise<unknown> {
	return await chosenOperation(context, itemIndex).execute(context, itemIndex);
}

/** @throws NodeApiError or NodeOperationError when the node is to stop on errors */
async function itemResult(
	context: IExecuteFunctions,
	itemIndex: number,
	run: () => Promise<unknown>,
): Promise<ItemResult> {
	const outputOf = async (running: () => Promise<unknown>) => {
		try {
			return outputItems(context, itemIndex, await running());
		} catch (error) {
			return [failedItem(context, itemIndex, error)];
		}
	};
	let pending: PendingResult | undefined;
	const output = await outputOf(async () => {
		const result = await run();
		if (result instanceof PendingResult) pending = result;
		return pending ? [] : result;
	});
	if (!pending) return { output: Promise.resolve(output), abandon: () => {} };
	const { abandon, result: later } = pending;
	const result: ItemResult = { output: outputOf(async () => await later), abandon };
	result.output.catch((error: unknown) => (result.failure = toNodeError(context, error)));
	return result;
}

function outputItems(context: IExecuteFunctions, itemIndex: number, result: unknown): INodeExecutionData[] {
	const { binary } = context.getInputData()[itemIndex] ?? {};
	const kept = chosenOperation(context, itemIndex).keepsBinary && binary ? { binary } : {};
	return jsonObjects(result).map((json) => ({ json, ...kept, pairedItem: { item: itemIndex } }));
}

/** @throws NodeApiError or NodeOperationError when the node is to stop on errors */
function failedItem(context: IExecuteFunctions, itemIndex: number, error: unknown): INodeExecutionData {
	const failure = toNodeError(context, error);
	failure.context.itemIndex = itemIndex;
	// A cancelled execution starts no further item, whatever the setting.
	if (!context.continueOnFail() || cancelSignal(context)?.aborted) throw failure;
	return errorItem(failure, itemIndex, context.getInputData()[itemIndex]?.binary);
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
