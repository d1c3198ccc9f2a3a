import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { requestWithRetry } from '../../transport/request';
import { uploadOffsetOf, uploadLengthOf, stateRequest } from '../../upload/tus/uploadRequests';
import type { Operation } from '../operation';
import { uploadIdField } from './fields';
import { uploadIdOf } from './parameters';

const properties: INodeProperties[] = [uploadIdField];

/** See docs/api-reference.md#read-the-offset. */
export const getStatus: Operation = {
	option: {
		name: 'Get Status',
		value: 'getStatus',
		description: 'Get the number of bytes of an upload that the service has received',
		action: 'Get upload status',
	},
	properties: updateDisplayOptions({ show: { resource: ['upload'], operation: ['getStatus'] } }, properties),
	async execute(item) {
		const { context, itemIndex } = item;
		const uploadId = uploadIdOf(item);
		const response = await requestWithRetry(context, stateRequest(uploadId, itemIndex));
		const offset = uploadOffsetOf(response) ?? null;
		const size = uploadLengthOf(response) ?? null;
		const complete = offset === null || size === null ? null : offset === size;
		return { uploadId, offset, size, complete };
	},
};
