import { requestWithRetry } from '../../transport/request';
import { unreadableResponseError } from '../../transport/requestError';
import { NO_OFFSET, stateIn, stateRequest } from '../../upload/tus/uploadRequests';
import type { Operation } from '../operation';
import { uploadIdField } from './fields';

/** See docs/api-reference.md#read-the-offset. */
export const getStatus: Operation = {
	name: 'Get Status',
	description: 'Get the number of bytes of an upload that the service has received',
	action: 'Get upload status',
	parameters: [uploadIdField],
	async execute(item) {
		const { context } = item;
		const uploadId = item.read(uploadIdField);
		const request = stateRequest(uploadId);
		const response = await requestWithRetry(context, request);
		const { length: size = null, offset = null } = stateIn(response);
		if (offset === null && size === null) throw unreadableResponseError(context, request, NO_OFFSET);
		const complete = offset === null || size === null ? null : offset === size;
		return { uploadId, offset, size, complete };
	},
};
