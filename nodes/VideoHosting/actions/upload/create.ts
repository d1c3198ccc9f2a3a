import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { serviceCredential } from '../../service/credential';
import { requestOnce } from '../../service/request';
import { rememberUpload } from '../../transfer/recovery/unfinishedUploads';
import { uploadUrl } from '../../transfer/tus/uploadUrl';
import { createdUploadId, createRequest } from '../../transfer/tus/uploadRequests';
import type { Operation } from '../operation';
import { invalidParameter, optionalFolderUuidParameter, requiredTextParameter } from '../parameters';
import { fileNameField, uploadFolderField } from './fields';

const properties: INodeProperties[] = [
	{
		...fileNameField,
		required: true,
		description: 'Name that the video gets',
	},
	{
		displayName: 'Size',
		name: 'size',
		type: 'number',
		typeOptions: { minValue: 0 },
		required: true,
		default: 0,
		description: 'Size of the file in bytes. Resume then takes a file of exactly this size.',
	},
	uploadFolderField,
];

/** See docs/api-reference.md#create-an-upload. */
export const create: Operation = {
	option: {
		name: 'Create',
		value: 'create',
		description: 'Announce a file without sending it; Resume sends it, also after n8n was restarted',
		action: 'Create an upload',
	},
	properties: updateDisplayOptions({ show: { resource: ['upload'], operation: ['create'] } }, properties),
	// Resume, which comes next, sends the file.
	keepsBinary: true,
	async execute(context, itemIndex) {
		const fileName = requiredTextParameter(context, itemIndex, 'fileName', 'File Name');
		const folder = optionalFolderUuidParameter(context, itemIndex);
		const size = Number(context.getNodeParameter('size', itemIndex));
		if (!Number.isSafeInteger(size) || size < 0) {
			throw invalidParameter(context, itemIndex, 'Size must be the whole number of bytes that the file has');
		}
		const file = { fileName, size, folder };
		const answer = await requestOnce(context, createRequest(file, itemIndex));
		const uploadId = createdUploadId(context, answer, itemIndex);
		if (size > 0) await rememberUpload(context, file, uploadId);
		const { baseUrl } = await serviceCredential(context);
		return { uploadId, uploadUrl: uploadUrl(baseUrl, uploadId), fileName, size };
	},
};
