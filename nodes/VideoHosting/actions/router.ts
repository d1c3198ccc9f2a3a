import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { toNodeError } from '../service/errors';
import { isRecord } from '../service/responseParsing';
import { cancelSignal } from '../service/request';
import { diskUsage } from './diskUsage';
import { errorItem } from './errorItem';
import { event } from './event';
import { folder } from './folder';
import type { Operation, Resource } from './operation';
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
	const output: INodeExecutionData[] = [];
	for (const [itemIndex, { binary }] of context.getInputData().entries()) {
		try {
			const operation = chosenOperation(context, itemIndex);
			const kept = operation.keepsBinary && binary ? { binary } : {};
			for (const json of jsonObjects(await operation.execute(context, itemIndex))) {
				output.push({ json, ...kept, pairedItem: { item: itemIndex } });
			}
		} catch (error) {
			const failure = toNodeError(context, error);
			failure.context.itemIndex = itemIndex;
			// A cancelled execution starts no further item, whatever the setting.
			if (!context.continueOnFail() || cancelSignal(context)?.aborted) throw failure;
			output.push(errorItem(failure, itemIndex, binary));
		}
	}
	return output;
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
	return [isRecord(result) ? (result as IDataObject) : { result: result as IDataObject[string] }];
}
