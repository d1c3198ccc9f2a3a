import type { IDataObject } from 'n8n-workflow';

import { extractRecord } from '../service/responseParsing';
import { isRecord } from '../shared/jsonFields';

/**
 * What an operation about one record returns: the record of the response. A response without a record stays as it is, and an
 * array without elements becomes `{ "result": [] }`, so that there is always an output item.
 *
 * @param resourceName the name under which a response may wrap the record: `event`, `folder`, `video`
 */
export function recordOutput(response: unknown, resourceName: string): unknown {
	const record = extractRecord(response, resourceName);
	return Array.isArray(record) && record.length === 0 ? { result: [] } : record;
}

/** A response as the JSON of an item: one that is not an object under `result`. */
export function jsonObject(response: unknown): IDataObject {
	// A response that is an object is parsed JSON.
	return isRecord(response) ? response : { result: response as IDataObject[string] };
}
