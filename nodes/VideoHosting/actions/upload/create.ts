import { parameter, requiredText } from '../../parameters/parameter';
import { toNumber } from '../../parameters/values';
import { resolveFolder } from '../../service/folders';
import { serviceCredential } from '../../transport/credential';
import { createUpload } from '../../upload/createUpload';
import { uploadUrl } from '../../upload/tus/uploadRequests';
import type { Operation } from '../operation';
import { fileNameField, uploadFolderField, uploadOptions } from './fields';
import { maxWaitMsOf } from './parameters';
import { reasonError } from './uploadError';

const videoNameField = requiredText({ ...fileNameField, description: 'Name of the new video' });

const sizeField = parameter(toNumber({ min: 1 }), {
	displayName: 'Size',
	name: 'size',
	type: 'number',
	typeOptions: { minValue: 1 },
	required: true,
	default: '',
	placeholder: 'e.g. 52428800',
	description:
		'Size of the file in bytes. Resume it with a file of exactly this size: after a restart of n8n, only the service can notice another one.',
});

/** See docs/api-reference.md#create-an-upload. */
export const create: Operation = {
	name: 'Create',
	description: 'Create an upload without sending the file; Resume sends it, even after a restart of n8n',
	action: 'Create upload',
	parameters: [videoNameField, sizeField, uploadFolderField, uploadOptions.maxWaitMinutes],
	async execute(item) {
		const { context } = item;
		const fileName = item.read(videoNameField);
		const chosenFolder = item.read(uploadFolderField);
		const size = item.read(sizeField);
		const maxWaitMs = maxWaitMsOf(item);
		try {
			const folder = chosenFolder && (await resolveFolder(context, chosenFolder));
			const uploadId = await createUpload(context, { name: fileName, size, folder }, maxWaitMs);
			const { baseUrl } = await serviceCredential(context);
			return { uploadId, uploadUrl: uploadUrl(baseUrl, uploadId), fileName, size };
		} catch (error) {
			throw reasonError(context, error);
		}
	},
};
