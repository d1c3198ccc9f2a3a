import type { IDataObject, IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { type Parameter, readParameter } from '../parameters/parameter';
import { isRecord } from '../shared/jsonFields';
import { path, requestJson } from '../transport/request';
import type { ServiceRequest } from '../transport/serviceRequest';

/**
 * The name of a binary field of the item, or the file itself, which an expression such as
 * `{{ $('Read File').item.binary.data }}` returns. n8n's binary helpers accept both.
 */
export type BinaryReference = string | IBinaryData;

/**
 * An input item, or one file of it. Reads its parameters and sends requests.
 */
export class Item {
	/** Whether the output keeps the plan secret, in a field that n8n marks as sensitive. */
	showsSecrets = false;

	/** The router replaces it by that of the item's account before it executes the operation. */
	context: IExecuteFunctions;

	/**
	 * @param run the context of all items
	 * @param file that the part of the item is about; undefined for the whole item
	 */
	constructor(
		readonly run: IExecuteFunctions,
		readonly itemIndex: number,
		readonly file?: BinaryReference,
	) {
		this.context = run;
	}

	/** @throws OperationError that names the parameter and the item when the value cannot be used */
	read<Value>(parameter: Parameter<Value>): Value {
		return readParameter(this.context, this.itemIndex, parameter);
	}

	/**
	 * The response to a request of the operation, as {@link requestJson} returns it.
	 *
	 * @param segments of the path below `/v1`
	 * @param contentType as docs/api-reference.md has it for this request
	 * @throws ServiceError as {@link requestJson}
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
}

/**
 * Whether an AI agent has called the node as a tool, which n8n knows as a type of its own: `videoHostingTool`. Newer agents give it an input
 * as any other node has (n8n-core 2.41.1 dist/execution-engine/requests-response.js).
 */
export function isTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}

/**
 * A result that arrives while the next items run. The router starts the next item at once, and waits for all results at the end.
 */
export class PendingResult {
	/** @param result as {@link Operation.execute} returns it */
	constructor(readonly result: Promise<unknown>) {}
}

/** An input item, divided. */
export interface Parts {
	items: Item[];
	/** What is not one of its parts, for a hint: `"signature.png" (a picture)`. */
	leftOut: string[];
}

/** One operation that a user picks in the node's panel: its parameters and what it does, side by side. */
export interface Operation {
	/** As the Operation list shows it. */
	name: string;
	description: string;
	action: string;
	/** Shown for this resource and operation alone; collections come last. */
	parameters: Array<Parameter<unknown>>;
	/**
	 * The parts of an input item, each with its own output items or error. By default the whole item.
	 *
	 * @throws OperationError when the item cannot be divided
	 */
	parts?(item: Item): Promise<Parts>;
	/**
	 * Whether the result is a list: one output item for each record, without the files of the input item. An OperationError in the list
	 * becomes an error item beside the others.
	 */
	returnsList?: boolean;
	/**
	 * What Skip If Exists leaves out, in a hint: `files`, and `videos of these names`, which exist already. Where no folder is chosen, they
	 * may be in any.
	 */
	skips?: { items: string; existing: string; folder?: Parameter<unknown> };
	/**
	 * Returns plain data for one input item, or one part of it: one output item, which is `{ "result": … }` for anything but an object.
	 *
	 * @throws OperationError
	 */
	execute(item: Item): Promise<unknown>;
}

/** One resource of the node's panel. */
export interface Resource {
	/** As the Resource list shows it. */
	name: string;
	description: string;
	/** In the order of the list. The key is the value that workflows store; it never changes. */
	operations: Record<string, Operation>;
	/** The operation that is selected first. */
	defaultOperation: string;
}

/** The JSON of an item: the response, or `{ result: response }` when the response is not an object. */
export function jsonObject(response: unknown): IDataObject {
	// A response that is an object is parsed JSON.
	return isRecord(response) ? response : { result: response as IDataObject[string] };
}
