import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { toRequiredText } from '../../parameters/values';
import { serviceCredential } from '../../transport/credential';
import { resolveFolder } from '../../service/folderLookup';
import { createUpload } from '../../upload/createUpload';
import { uploadUrl } from '../../upload/tus/uploadRequests';
import { optionsField } from '../fields';
import type { Operation } from '../operation';
import { toOptionalFolder, toRequiredNumber } from '../parameters';
import { fileNameField, uploadOptions, uploadFolderField } from './fields';
import { maxWaitMsOf } from './parameters';
import { toCreateError } from './uploadError';

const sizeField: INodeProperties = {
	displayName: 'Size',
	name: 'size',
	type: 'number',
	typeOptions: { minValue: 1 },
	required: true,
	default: 0,
	description: 'Size of the file in bytes. Resume accepts only a file of exactly this size.',
};

const properties: INodeProperties[] = [
	{
		...fileNameField,
		required: true,
		description: 'Name of the new video',
	},
	sizeField,
	uploadFolderField,
	optionsField(uploadOptions.maxWaitMinutes),
];

/** See docs/api-reference.md#create-an-upload. */
export const create: Operation = {
	option: {
		name: 'Create',
		value: 'create',
		description: 'Reserve an upload without sending the file; Resume sends it, even after a restart of n8n',
		action: 'Reserve upload',
	},
	properties: updateDisplayOptions({ show: { resource: ['upload'], operation: ['create'] } }, properties),
	// Resume, which comes next, sends the file.
	keepsBinary: true,
	async execute(item) {
		const { context, itemIndex } = item;
		const fileName = item.read(fileNameField, toRequiredText);
		const chosenFolder = item.read(uploadFolderField, toOptionalFolder);
		const size = item.read(sizeField, toRequiredNumber({ min: 1 }));
		const maxWaitMs = maxWaitMsOf(item);
		try {
			const folder = chosenFolder && (await resolveFolder(context, chosenFolder, { itemIndex }));
			const uploadId = await createUpload(
				context,
				{ name: fileName, size, folder },
				{ maxWaitMs, itemIndex },
			);
			const { baseUrl } = await serviceCredential(context);
			return { uploadId, uploadUrl: uploadUrl(baseUrl, uploadId), fileName, size };
		} catch (error) {
			throw toCreateError(context, error, itemIndex);
		}
	},
};
