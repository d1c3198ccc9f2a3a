import { text } from '../../parameters/parameter';
import { existingFolder, folderLists } from '../../service/folders';
import { OperationError } from '../../transport/serviceError';
import { chosenFolder, folderField } from '../fields';
import type { Operation } from '../operation';

const nameOption = text({
	displayName: 'Name',
	name: 'name',
	collection: 'options',
	placeholder: 'e.g. Webinars 2026',
	description:
		'Name of the folder, which the service requires in addition to the UUID. Leave it empty to look it up.',
});

/** See docs/api-reference.md#delete-a-gallery. The body must carry the gallery's name. */
export const deleteFolder: Operation = {
	name: 'Delete',
	description: 'Delete a folder permanently',
	action: 'Delete folder',
	parameters: [folderField, nameOption],
	async execute(item) {
		const givenName = item.read(nameOption);
		const uuid = await chosenFolder(item);
		const name = givenName || (await existingFolder(item.context, uuid)).name;
		if (name === undefined)
			throw new OperationError(
				`The record of the folder ${uuid} contains no name`,
				'Enter it in the option Name.',
			);
		const response = await item.request('DELETE', ['folders', uuid], { name });
		// It is the number of deleted folders.
		if (response === 0) {
			throw new OperationError(
				`The service deleted no folder with the UUID ${uuid}`,
				'Check that the folder exists in this application and that the option Name is its exact name. A folder with videos or subfolders may have to be emptied first.',
			);
		}
		await folderLists.change(item.context, { ids: [uuid], oldName: name });
		return { deleted: true, uuid, name };
	},
};
