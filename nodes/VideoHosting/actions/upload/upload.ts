import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { createFolderOption, optionsField } from '../fields';
import type { Operation } from '../operation';
import {
	binaryFilesField,
	fileNameField,
	sourceField,
	thumbnailOption,
	titleOption,
	uploadOptions,
	uploadFolderField,
	uploadPlanIdOption,
	urlField,
} from './fields';
import { uploadParts } from './parameters';
import { uploadItem } from './uploadItem';

const properties: INodeProperties[] = [
	sourceField,
	binaryFilesField,
	urlField,
	fileNameField,
	uploadFolderField,
	optionsField(
		createFolderOption,
		...Object.values(uploadOptions),
		thumbnailOption,
		titleOption,
		uploadPlanIdOption,
	),
];

/** See docs/api-reference.md#uploads. */
export const uploadVideo: Operation = {
	option: {
		name: 'Upload',
		value: 'upload',
		description: 'Upload a video file; an interrupted upload resumes where it stopped',
		action: 'Upload video file',
	},
	properties: updateDisplayOptions({ show: { resource: ['upload'], operation: ['upload'] } }, properties),
	parts: uploadParts,
	execute: async (item) => await uploadItem(item),
};
