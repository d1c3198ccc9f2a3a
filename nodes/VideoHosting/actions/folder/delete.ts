import { NodeOperationError, updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { toText } from '../../parameters/values';
import { noteFolderChange, resolveFolder } from '../../service/folderLookup';
import { findFolder } from '../../service/folders';
import { folderNameOf } from '../../service/recordFields';
import { reportsNoneDeleted } from '../../service/responseParsing';
import { path, requestJson } from '../../transport/request';
import { folderField } from '../../parameters/locators';
import { optionsField } from '../fields';
import type { Operation } from '../operation';
import { toRequiredFolder } from '../parameters';

const nameOption: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	placeholder: 'e.g. Webinars 2026',
	description:
		'Name of the folder, which the service requires in addition to the UUID. Leave it empty to look it up.',
};

const properties: INodeProperties[] = [folderField, optionsField(nameOption)];

/** See docs/api-reference.md#delete-a-gallery. The body must carry the gallery's name. */
export const deleteFolder: Operation = {
	option: {
		name: 'Delete',
		value: 'delete',
		description: 'Delete a folder permanently',
		action: 'Delete folder',
	},
	properties: updateDisplayOptions({ show: { resource: ['folder'], operation: ['delete'] } }, properties),
	async execute(item) {
		const { context, itemIndex, option, read } = item;
		const chosen = read(folderField, toRequiredFolder);
		let name: string | undefined = option(nameOption, toText);
		const uuid = await resolveFolder(context, chosen, { itemIndex });
		if (name === '') {
			const folder = await findFolder(context, uuid, itemIndex);
			name = folder && folderNameOf(folder);
		}
		if (name === undefined) {
			throw new NodeOperationError(context.getNode(), `The application has no folder with the UUID ${uuid}`, {
				itemIndex,
				description: 'Check Folder. If the folder exists, enter its name in the option Name.',
			});
		}
		const response = await requestJson(context, {
			method: 'DELETE',
			path: path('folders', uuid),
			headers: { 'Content-Type': 'application/json' },
			body: { name },
			itemIndex,
		});
		if (reportsNoneDeleted(response)) {
			throw new NodeOperationError(context.getNode(), `The service deleted no folder: ${uuid} still exists`, {
				itemIndex,
				description:
					'Check that the folder belongs to this application and that the option Name is its exact name. A folder with videos or subfolders may have to be emptied first.',
			});
		}
		noteFolderChange(context, uuid, undefined);
		return { deleted: true, uuid, name };
	},
};
