import { updateDisplayOptions, type IDataObject, type INodeProperties } from 'n8n-workflow';

import type { ContentField } from '../../parameters/field';
import { toText } from '../../parameters/values';
import { noteFolderChange, resolveFolder } from '../../service/folderLookup';
import { path, requestJson } from '../../transport/request';
import { folderField } from '../../parameters/locators';
import type { Operation } from '../operation';
import { invalidParameter, toRequiredFolder } from '../parameters';
import { recordOutput } from '../recordOutput';

const descriptionField: ContentField = {
	displayName: 'Description',
	name: 'description',
	type: 'string',
	default: '',
	description: 'New description of the folder. Leave it empty to remove the description.',
	isContent: true,
};

const nameField: ContentField = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	placeholder: 'e.g. Webinars 2026',
	description: 'New name of the folder',
	isContent: true,
};

const properties: INodeProperties[] = [
	folderField,
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add field',
		default: {},
		options: [descriptionField, nameField],
	},
];

/** See docs/api-reference.md#update-a-gallery. Only the fields that the user added are sent. */
export const update: Operation = {
	option: {
		name: 'Update',
		value: 'update',
		description: 'Change the name or the description of a folder',
		action: 'Update folder',
	},
	properties: updateDisplayOptions({ show: { resource: ['folder'], operation: ['update'] } }, properties),
	async execute(item) {
		const { context, itemIndex, read, updateField } = item;
		const folder = read(folderField, toRequiredFolder);
		const name = updateField(nameField, toAddedText);
		const description = updateField(descriptionField, toAddedText);
		const body: IDataObject = {
			...(name === undefined ? {} : { name }),
			...(description === undefined ? {} : { description }),
		};
		if (Object.keys(body).length === 0) {
			throw invalidParameter(context, itemIndex, 'Update Fields is empty', 'Add Name or Description.');
		}
		if (body.name === '')
			throw invalidParameter(context, itemIndex, 'Name is empty', 'Enter one, or remove the field.');

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

/** The text of a field that the user added, '' when it is empty; undefined when it is not there, or resolves to nothing. */
function toAddedText(label: string, value: unknown): string | undefined {
	return value === undefined || value === null ? undefined : toText(label, value);
}
