import {
	updateDisplayOptions,
	type IDataObject,
	type IExecuteFunctions,
	type INodeProperties,
} from 'n8n-workflow';

import { readParameter } from '../../parameters/readParameter';
import { toText } from '../../parameters/values';
import { noteFolderChange, resolveFolder } from '../../service/folderLookup';
import { path, requestJson } from '../../transport/request';
import { folderField } from '../fields';
import type { Operation } from '../operation';
import { folderParameter, invalidParameter } from '../parameters';
import { recordOutput } from '../recordOutput';

const properties: INodeProperties[] = [
	folderField,
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add field',
		default: {},
		options: [
			{
				displayName: 'Description',
				name: 'description',
				type: 'string',
				default: '',
				description: 'New description of the folder. Leave it empty to remove the description.',
			},
			{
				displayName: 'Name',
				name: 'name',
				type: 'string',
				default: '',
				placeholder: 'e.g. Webinars 2026',
				description: 'New name of the folder',
			},
		],
	},
];

/** See docs/api-reference.md#update-a-gallery. Only the fields that the user added are sent. */
export const update: Operation = {
	option: {
		name: 'Update',
		value: 'update',
		description: 'Change the name or the description of a folder',
		action: 'Update a folder',
	},
	properties: updateDisplayOptions({ show: { resource: ['folder'], operation: ['update'] } }, properties),
	async execute(context, itemIndex) {
		const folder = folderParameter(context, itemIndex);
		const body: IDataObject = {};
		const name = updateField(context, itemIndex, 'name', 'Name');
		if (name !== undefined) body.name = name;
		const description = updateField(context, itemIndex, 'description', 'Description');
		if (description !== undefined) body.description = description;
		if (Object.keys(body).length === 0) {
			throw invalidParameter(context, itemIndex, 'Update Fields is empty: add Name or Description');
		}
		if (body.name === '')
			throw invalidParameter(context, itemIndex, 'Name is empty: enter one, or remove the field');

		const uuid = await resolveFolder(context, folder, { itemIndex });
		const response = await requestJson(context, {
			method: 'PUT',
			path: path('folders', uuid),
			headers: { 'Content-Type': 'application/json' },
			body,
			itemIndex,
		});
		noteFolderChange(context, uuid, body);
		return recordOutput(response, 'folder');
	},
};

/** A field that the user added, '' when it is empty; undefined when it is not there, or an expression returned nothing. */
function updateField(
	context: IExecuteFunctions,
	itemIndex: number,
	name: string,
	label: string,
): string | undefined {
	return readParameter(context, itemIndex, `updateFields.${name}`, (value) =>
		value === undefined || value === null ? undefined : toText(label, value),
	);
}
