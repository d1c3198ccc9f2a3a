import type { IDataObject } from 'n8n-workflow';

import type { Parameter } from '../parameters/parameter';
import { isRecord } from '../shared/jsonFields';
import type { Item } from './item';

/**
 * The result of an item that is completed while the next items run. The router starts the next item at once, and waits for
 * the result at the end.
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
	/** Its parameters, visible for this resource and operation alone. The panel shows those of a collection at the end. */
	parameters: Array<Parameter<unknown>>;
	/**
	 * The parts of an input item that are carried out one after the other, each with output items or an error of its own. By
	 * default it is the item as a whole.
	 *
	 * @throws NodeApiError or NodeOperationError for the user, when the item cannot be divided
	 */
	parts?(item: Item): Item[];
	/** Whether it returns a list, which becomes an item for each record without the files of the input item. */
	returnsList?: boolean;
	/**
	 * Does the operation for one input item, or one part of it, and returns plain data: one output item, which keeps the files of its
	 * input item, and is `{ "result": … }` for what is no object. A {@link PendingResult} is that, later.
	 *
	 * @throws NodeApiError or NodeOperationError for the user
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

/** A response as the JSON of an item: one that is not an object under `result`. */
export function jsonObject(response: unknown): IDataObject {
	// A response that is an object is parsed JSON.
	return isRecord(response) ? response : { result: response as IDataObject[string] };
}
