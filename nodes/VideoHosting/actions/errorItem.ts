import type {
	IBinaryKeyData,
	IDataObject,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { isRecord } from '../shared/jsonFields';
import { withAdvice } from '../transport/errors';

type NodeError = NodeApiError | NodeOperationError;

/** Adds fields that the error item contains next to the message; an error workflow finds them in `context.output`. */
export function setErrorDetails(error: NodeError, fields: IDataObject): void {
	error.context.output = fields;
}

/**
 * The output item of a failed input item, for a node that continues on errors: `{ error: "message. description" }`, or with
 * details `{ error: { message, description, …details } }` and the files of the input item, so that the next node can continue.
 *
 * n8n replaces the JSON of an item that has the field `error` by the message alone (normalizeNodeErrors), and routes an
 * item without that field to the error output only when its JSON consists of `error`, in n8n 1.x optionally with
 * `message` (handleNodeErrorOutput; both in n8n-core 2.41.1 and 1.122.48 dist/execution-engine/workflow-execute.js). So the
 * description is part of the message, and the details are inside `error`, the places that survive both.
 */
export function errorItem(error: NodeError, itemIndex: number, binary?: IBinaryKeyData): INodeExecutionData {
	const pairedItem = { item: itemIndex };
	const { message, description } = error;
	const fields = error.context.output;
	if (!isRecord(fields)) {
		error.message = withAdvice(error);
		return { json: { error: error.message }, error, pairedItem };
	}
	return {
		json: { error: { message, ...(description ? { description } : {}), ...fields } },
		...(binary ? { binary } : {}),
		pairedItem,
	};
}
