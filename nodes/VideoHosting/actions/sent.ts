import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../shared/jsonFields';

/** What the service returned, and under `sent` the values that this node computed before sending. */
export function withSent(response: unknown, sent: IDataObject): IDataObject {
	// A response that is an object is parsed JSON; anything else is returned under `result`, so that every item is an object.
	const record = isRecord(response) ? response : { result: response as IDataObject[string] };
	return { ...record, sent };
}
