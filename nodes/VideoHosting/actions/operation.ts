import type { IDataObject } from 'n8n-workflow';

import type { Parameter } from '../parameters/parameter';
import { isRecord } from '../shared/jsonFields';
import type { Item } from './item';

/**
 * A result that arrives while the next items run. The router starts the next item at once, and waits for all results at the end.
 */
export class PendingResult {
	/** @param result as {@link Operation.execute} returns it */
	constructor(readonly result: Promise<unknown>) {}
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
	 * @throws NodeApiError or NodeOperationError when the item cannot be divided
	 */
	parts?(item: Item): Item[];
	/** Whether the result is a list: one output item for each record, without the files of the input item. */
	returnsList?: boolean;
	/**
	 * Returns plain data for one input item, or one part of it: one output item, which is `{ "result": … }` for anything but an object.
	 *
	 * @throws NodeApiError or NodeOperationError
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
