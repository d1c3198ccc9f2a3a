import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../shared/jsonFields';

/** What the service returned, and under `sent` the values that this node computed before sending. */
export function withSent(response: unknown, sent: IDataObject): IDataObject {
	return { ...jsonObject(response), sent };
}

/** A response as the JSON of an item: one that is not an object under `result`. */
export function jsonObject(response: unknown): IDataObject {
	// A response that is an object is parsed JSON.
	return isRecord(response) ? response : { result: response as IDataObject[string] };
}
