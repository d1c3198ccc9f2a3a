import { extractRecord } from '../service/responseParsing';
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
