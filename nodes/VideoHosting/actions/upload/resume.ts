import { binaryField, planIdOption, sourceField, urlField } from '../fields';
import type { Operation } from '../operation';
import { fileNameField, titleField, uploadFolderField, uploadIdField, uploadOptions } from './fields';
import { uploadItem } from './uploadItem';

const sentNameField = {
	...fileNameField,
	description:
		'File name that the requests state. The video keeps the name that its upload was created with, unless Title is set. Leave it empty to use the name of the binary file, or the one that the server of the URL states, else the last part of the final URL.',
};

const sentFolderField = {
	...uploadFolderField,
	description:
		'Folder that the requests state. The video stays in the folder that its upload was created for. Leave it empty to state that one, where this n8n knows it.',
};

/** See docs/api-reference.md#uploads. */
export const resume: Operation = {
	name: 'Resume',
	description: 'Send the remaining bytes of an upload, given its ID and the same file',
	action: 'Resume upload',
	parameters: [
		uploadIdField,
		sourceField,
		binaryField,
		urlField,
		sentNameField,
		titleField,
		sentFolderField,
		uploadOptions.idleTimeoutSeconds,
		uploadOptions.maxRequestMegabytes,
		uploadOptions.maxWaitMinutes,
		uploadOptions.returnVideo,
		planIdOption,
	],
	execute: async (item) => await uploadItem(item, uploadIdField),
};
