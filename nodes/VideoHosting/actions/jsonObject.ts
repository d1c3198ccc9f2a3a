import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../shared/jsonFields';

/** A response as the JSON of an item: one that is not an object under `result`. */
export function jsonObject(response: unknown): IDataObject {
	// A response that is an object is parsed JSON.
	return isRecord(response) ? response : { result: response as IDataObject[string] };
}
