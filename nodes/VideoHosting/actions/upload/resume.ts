import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { optionsField } from '../fields';
import type { Operation } from '../operation';
import {
	binaryField,
	fileNameField,
	sourceField,
	uploadOptions,
	uploadFolderField,
	uploadIdField,
	uploadPlanIdOption,
	urlField,
} from './fields';
import { uploadIdOf } from './parameters';
import { uploadItem } from './uploadItem';

const properties: INodeProperties[] = [
	uploadIdField,
	sourceField,
	binaryField,
	urlField,
	fileNameField,
	uploadFolderField,
	optionsField(
		uploadOptions.idleTimeoutSeconds,
		uploadOptions.maxRequestMegabytes,
		uploadOptions.maxWaitMinutes,
		uploadOptions.returnVideo,
		uploadPlanIdOption,
	),
];

/** See docs/api-reference.md#uploads. */
export const resume: Operation = {
	option: {
		name: 'Resume',
		value: 'resume',
		description: 'Send the remaining bytes of an upload, given its ID and the same file',
		action: 'Resume upload',
	},
	properties: updateDisplayOptions({ show: { resource: ['upload'], operation: ['resume'] } }, properties),
	execute: async (item) => await uploadItem(item, () => uploadIdOf(item)),
};
