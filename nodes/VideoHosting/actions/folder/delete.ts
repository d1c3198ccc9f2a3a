import { text } from '../../parameters/parameter';
import { noteFolderChange, resolveFolder } from '../../service/folderLookup';
import { findFolder } from '../../service/folders';
import { folderNameOf } from '../../service/recordFields';
import { reportsNoneDeleted } from '../../service/responseParsing';
import { path } from '../../transport/request';
import { folderField } from '../fields';
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
	option: {
		name: 'Delete',
		value: 'delete',
		description: 'Delete a folder permanently',
		action: 'Delete folder',
	},
	parameters: [folderField, nameOption],
	async execute(item) {
		const { context, itemIndex } = item;
		const chosen = item.read(folderField);
		let name: string | undefined = item.read(nameOption);
		const uuid = await resolveFolder(context, chosen, { itemIndex });
		if (name === '') {
			const folder = await findFolder(context, uuid, itemIndex);
			name = folder && folderNameOf(folder);
		}
		if (name === undefined) {
			throw item.error(
				`The application has no folder with the UUID ${uuid}`,
				'Check Folder. If the folder exists, enter its name in the option Name.',
			);
		}
		const response = await item.request('DELETE', path('folders', uuid), { name });
		if (reportsNoneDeleted(response)) {
			throw item.error(
				`The service deleted no folder: ${uuid} still exists`,
				'Check that the folder belongs to this application and that the option Name is its exact name. A folder with videos or subfolders may have to be emptied first.',
			);
		}
		noteFolderChange(context, uuid, undefined);
		return { deleted: true, uuid, name };
	},
};
