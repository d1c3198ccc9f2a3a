import { binaryField, sourceField, urlField } from '../fields';
import type { Operation } from '../operation';
import { fileNameField, uploadFolderField, uploadIdField, uploadOptions, uploadPlanIdOption } from './fields';
import { uploadItem } from './uploadItem';

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
		fileNameField,
		uploadFolderField,
		uploadOptions.idleTimeoutSeconds,
		uploadOptions.maxRequestMegabytes,
		uploadOptions.maxWaitMinutes,
		uploadOptions.returnVideo,
		uploadPlanIdOption,
	],
	execute: async (item) => await uploadItem(item, uploadIdField),
};
