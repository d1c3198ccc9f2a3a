import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../shared/jsonFields';
import { recordIn, type RecordKind } from '../transport/response';

/**
 * What an operation about one record returns: the record of the response. A response without a record stays as it is, and an
 * array without elements becomes `{ "result": [] }`, so that there is always an output item.
 *
 * @param kind under whose name a response may wrap the record
 */
export function recordOutput(response: unknown, kind: RecordKind): unknown {
	const record = recordIn(response, kind);
	return Array.isArray(record) && record.length === 0 ? { result: [] } : record;
}

/** A response as the JSON of an item: one that is not an object under `result`. */
export function jsonObject(response: unknown): IDataObject {
	// A response that is an object is parsed JSON.
	return isRecord(response) ? response : { result: response as IDataObject[string] };
}
