import type {
	IBinaryData,
	IDataObject,
	IExecuteFunctions,
	NodeApiError,
	NodeExecutionHint,
	NodeOperationError,
} from 'n8n-workflow';

import { readParameter, type Parameter } from '../parameters/parameter';
import { perRun } from '../shared/perRun';
import { operationError } from '../transport/errors';
import { path, requestJson } from '../transport/request';
import type { ServiceRequest } from '../transport/serviceRequest';

/**
 * The name of a binary field of the item, or the file itself, which an expression such as
 * `{{ $('Read File').item.binary.data }}` returns. n8n's binary helpers accept both.
 */
export type BinaryReference = string | IBinaryData;

/**
 * An input item, or one file of it. Reads its parameters, sends requests, and makes errors that name the item.
 */
export class Item {
	/** Whether the output keeps the plan secret, in a field that n8n marks as sensitive. */
	showsSecrets = false;

	/** @param file that the part of the item is about; undefined for the whole item */
	constructor(
		readonly context: IExecuteFunctions,
		readonly itemIndex: number,
		readonly file?: BinaryReference,
	) {}

	partOf(file: BinaryReference): Item {
		return new Item(this.context, this.itemIndex, file);
	}

	/** @throws NodeOperationError that names the parameter and the item when the value cannot be used */
	read<Value>(parameter: Parameter<Value>): Value {
		return readParameter(this.context, this.itemIndex, parameter);
	}

	/**
	 * The response to a request of the operation, as {@link requestJson} returns it.
	 *
	 * @param segments of the path below `/v1`
	 * @param contentType as docs/api-reference.md has it for this request
	 * @throws NodeApiError as {@link requestJson}
	 */
	async request(
		method: ServiceRequest['method'],
		segments: string[],
		body?: IDataObject,
		contentType = 'application/json',
	): Promise<unknown> {
		const headers = { 'Content-Type': contentType };
		return await requestJson(this.context, { method, path: path(...segments), headers, body });
	}

	/** @param description what to do */
	error(message: string, description = ''): NodeOperationError {
		return operationError(this.context, message, description);
	}
}

/** Adds fields to the error item, next to the message. An error workflow finds them in `context.output`. */
export function setErrorDetails(error: NodeApiError | NodeOperationError, fields: IDataObject): void {
	error.context.output = fields;
}

/** Messages of this try; n8n shows the messages of the last try. */
const messagesOf = perRun(() => new Set<string>());

/** Hints since the last outcome, with which the router keeps them. */
export const newHints = perRun(() => new Array<[message: string, type: NodeExecutionHint['type']]>());

/** Shows a message above the output of the node, once for all items. */
export function addHint(
	context: IExecuteFunctions,
	message: string,
	type: NodeExecutionHint['type'] = 'info',
): void {
	const messages = messagesOf(context);
	if (messages.has(message)) return;
	messages.add(message);
	newHints(context).push([message, type]);
	context.addExecutionHints({ message, type, location: 'outputPane' });
}
