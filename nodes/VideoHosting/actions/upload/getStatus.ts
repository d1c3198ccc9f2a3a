import { requestWithRetry } from '../../transport/request';
import { stateRequest, uploadLengthOf, uploadOffsetOf } from '../../upload/tus/uploadRequests';
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
		const response = await requestWithRetry(context, stateRequest(uploadId));
		const offset = uploadOffsetOf(response) ?? null;
		const size = uploadLengthOf(response) ?? null;
		const complete = offset === null || size === null ? null : offset === size;
		return { uploadId, offset, size, complete };
	},
};
