import { parameter } from '../../parameters/parameter';
import { toText } from '../../parameters/values';
import { folderLists } from '../../service/folders';
import { changedRecord } from '../../service/record';
import { toFolder } from '../../service/folder';
import { OperationError } from '../../transport/serviceError';
import { chosenFolder, folderField } from '../fields';
import type { Operation } from '../operation';

const descriptionField = parameter(toAddedText, {
	displayName: 'Description',
	name: 'description',
	collection: 'updateFields',
	description: 'New description of the folder. Leave it empty to remove the description.',
	isContent: true,
});

const nameField = parameter(toAddedText, {
	displayName: 'New Name',
	name: 'name',
	collection: 'updateFields',
	placeholder: 'e.g. Webinars 2026',
	description: 'New name of the folder',
	isContent: true,
});

/** See docs/api-reference.md#update-a-gallery. Only the fields that the user added are sent. */
export const update: Operation = {
	name: 'Update',
	description: 'Change the name or the description of a folder',
	action: 'Update folder',
	parameters: [folderField, descriptionField, nameField],
	async execute(item) {
		const name = item.read(nameField);
		const description = item.read(descriptionField);
		if (name === undefined && description === undefined)
			throw new OperationError(
				'Update Fields is empty',
				'Add New Name or Description, and check their expressions.',
			);
		if (name === '') throw new OperationError('New Name is empty', 'Enter one, or remove the field.');

		const uuid = await chosenFolder(item);
		const response = await item.request('PUT', ['folders', uuid], { name, description });
		if (name !== undefined) await folderLists.change(item.context, { ids: [uuid], newName: name });
		return changedRecord(response, 'folder', toFolder);
	},
};

/** The text of a field that the user added, '' when it is empty; undefined when it is not there, or resolves to nothing. */
function toAddedText(label: string, value: unknown): string | undefined {
	return value === undefined || value === null ? undefined : toText(label, value);
}
