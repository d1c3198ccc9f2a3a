import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { optionsField } from '../fields';
import type { Operation } from '../operation';
import { itemParameters } from '../parameters';
import {
	fileNameField,
	sourceFields,
	transferOptions,
	uploadFolderField,
	uploadIdField,
	uploadPlanIdOption,
} from './fields';
import { uploadIdOf } from './parameters';
import { transferItem } from './transferItem';

const properties: INodeProperties[] = [
	uploadIdField,
	...sourceFields,
	fileNameField,
	uploadFolderField,
	optionsField(
		transferOptions.idleTimeoutSeconds,
		transferOptions.maxRequestMegabytes,
		transferOptions.maxWaitMinutes,
		transferOptions.returnVideo,
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
	execute: async (context, itemIndex) =>
		await transferItem(context, itemIndex, () => uploadIdOf(itemParameters(context, itemIndex))),
};
