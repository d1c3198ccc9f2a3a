import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../service/responseParsing';

/** What the service returned, and under `sent` the values that were worked out for the user before sending. */
export function withSent(answer: unknown, sent: IDataObject): IDataObject {
	// An answer that is an object is parsed JSON; anything else goes under `result`, so that every item is an object.
	const record = isRecord(answer) ? (answer as IDataObject) : { result: answer as IDataObject[string] };
	return { ...record, sent };
}
