import { createFolderOption, planIdOption, sourceField, urlField } from '../fields';
import type { Operation } from '../operation';
import {
	binaryFilesField,
	fileNameField,
	thumbnailOption,
	titleField,
	uploadFolderField,
	uploadOptions,
} from './fields';
import { uploadParts } from './parameters';
import { uploadItem } from './uploadItem';

/** See docs/api-reference.md#uploads. */
export const uploadVideo: Operation = {
	name: 'Upload',
	description:
		'Upload a video file; an interrupted upload resumes, also in the next run of the same n8n process',
	action: 'Upload video file',
	parameters: [
		sourceField,
		binaryFilesField,
		urlField,
		fileNameField,
		titleField,
		uploadFolderField,
		createFolderOption,
		...Object.values(uploadOptions),
		thumbnailOption,
		planIdOption,
	],
	parts: uploadParts,
	skips: { items: 'files', existing: 'videos of these names', folder: uploadFolderField },
	execute: async (item) => await uploadItem(item),
};
