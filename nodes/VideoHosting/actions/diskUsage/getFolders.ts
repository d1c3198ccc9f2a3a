import type { IDataObject } from 'n8n-workflow';

import { foldersOfRun, listFolders } from '../../service/folders';
import { folderNameOf, folderUuidOf } from '../../service/recordFields';
import { isRecord } from '../../shared/jsonFields';
import { hasStatus, toNodeError } from '../../transport/errors';
import { limitField, limitOf, returnAllField } from '../fields';
import { addHint } from '../hints';
import type { Item } from '../item';
import type { Operation } from '../operation';
import { folderUsage } from './getFolder';

/** See docs/api-reference.md#list-galleries and docs/api-reference.md#disk-usage-of-a-gallery. */
export const getFolders: Operation = {
	option: {
		name: 'Get for All Folders',
		value: 'getFolders',
		description: 'Get the disk space of each folder, in bytes and in a readable form, one item per folder',
		action: 'Get disk usage of all folders',
	},
	parameters: [returnAllField, limitField],
	async execute(item) {
		const { context, itemIndex } = item;
		const limit = limitOf(item);
		const folders = await foldersOfRun(context, itemIndex);
		const usages: IDataObject[] = [];
		for (const folder of folders.filter((record) => folderUuidOf(record) !== undefined).slice(0, limit)) {
			try {
				usages.push(await usageOf(item, folder));
			} catch (error) {
				const failure = toNodeError(context, error);
				if (!hasStatus(failure, /^404$/) || (await isListed(item, folder))) throw failure;
				addHint(
					context,
					`The folder "${folderNameOf(folder) ?? ''}" was deleted while the disk usage was read, so it is left out.`,
				);
			}
		}
		return usages;
	},
};

/** Whether the list contains the folder now. */
async function isListed(item: Item, folder: IDataObject): Promise<boolean> {
	const { context, itemIndex } = item;
	const folders = await listFolders(context, itemIndex);
	return folders.some((other) => folderUuidOf(other) === folderUuidOf(folder));
}

/** What the service returns for a folder, with `uuid` and `name` of the folder. */
async function usageOf(item: Item, folder: IDataObject): Promise<IDataObject> {
	const { context } = item;
	const uuid = folderUuidOf(folder) ?? '';
	const name = folderNameOf(folder) ?? '';
	try {
		const usage = await folderUsage(item, uuid);
		// Fields of other values stay, under `responseFields`.
		const fields = isRecord(usage) ? usage : { result: usage as IDataObject[string] };
		const own: IDataObject = { uuid, name };
		const others = Object.entries(fields).filter(([key, value]) => key in own && value !== own[key]);
		return {
			...own,
			...fields,
			...own,
			...(others.length > 0 ? { responseFields: Object.fromEntries(others) } : {}),
		};
	} catch (error) {
		const failure = toNodeError(context, error);
		failure.message = `The disk usage of the folder "${name}" (${uuid}) could not be read. ${failure.message}`;
		throw failure;
	}
}
