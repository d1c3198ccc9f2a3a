import type { ServiceContext } from '../../nodes/VideoHosting/transport/credential';
import { requestJson as send } from '../../nodes/VideoHosting/transport/request';
import { toN8nError } from '../../nodes/VideoHosting/transport/serviceError';
import type { ServiceRequest } from '../../nodes/VideoHosting/transport/serviceRequest';

/** Sends a request as a node does: a failure is n8n's error. */
export async function requestJson(context: ServiceContext, request: ServiceRequest): Promise<unknown> {
	return await send(context, request).catch((error: unknown) => {
		throw toN8nError(context, error);
	});
}
