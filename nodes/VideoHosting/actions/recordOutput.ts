import type { IDataObject } from 'n8n-workflow';

import { extractRecord } from '../service/responseParsing';
import { isRecord } from '../shared/jsonFields';
import { withoutSecrets } from '../transport/secrets';

/**
 * What an operation about one record returns: the record of the response without secrets. A response without a record stays
 * as it is, and an array without elements becomes `{ "result": [] }`, so that there is always an output item.
 *
 * @param resourceName the name under which a response may wrap the record: `event`, `folder`, `video`
 */
export function recordOutput(response: unknown, resourceName: string): unknown {
	const record = withoutSecrets(extractRecord(response, resourceName));
	return Array.isArray(record) && record.length === 0 ? { result: [] } : record;
}

/** What the service returned, and under `sent` the values that this node computed before sending. */
export function withSent(response: unknown, sent: IDataObject): IDataObject {
	return { ...jsonObject(response), sent };
}

/** A response as the JSON of an item: one that is not an object under `result`. */
export function jsonObject(response: unknown): IDataObject {
	// A response that is an object is parsed JSON.
	return isRecord(response) ? response : { result: response as IDataObject[string] };
}
