import { updateDisplayOptions, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import { hasStatus, toNodeError } from '../../transport/errors';
import { foldersOfRun, listFolders } from '../../service/folders';
import { isRecord } from '../../shared/jsonFields';
import { folderNameOf, folderUuidOf } from '../../service/recordFields';
import { limitField, returnAllField } from '../fields';
import { addHint } from '../hints';
import type { Operation } from '../operation';
import { limitOf } from '../parameters';
import { folderUsage } from './folderUsage';

/** See docs/api-reference.md#list-galleries and docs/api-reference.md#disk-usage-of-a-gallery. */
export const getFolders: Operation = {
	option: {
		name: 'Get for All Folders',
		value: 'getFolders',
		description: 'Get the disk space of each folder, in bytes and in a readable form, one item per folder',
		action: 'Get disk usage of all folders',
	},
	properties: updateDisplayOptions({ show: { resource: ['diskUsage'], operation: ['getFolders'] } }, [
		returnAllField,
		limitField,
	]),
	async execute(item) {
		const { context, itemIndex } = item;
		const limit = limitOf(item);
		const folders = await foldersOfRun(context, itemIndex);
		const usages: IDataObject[] = [];
		for (const folder of folders.filter((record) => folderUuidOf(record) !== undefined).slice(0, limit)) {
			try {
				usages.push(await usageOf(context, itemIndex, folder));
			} catch (error) {
				const failure = toNodeError(context, error);
				if (!hasStatus(failure, /^404$/) || (await isListed(context, itemIndex, folder))) throw failure;
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
async function isListed(
	context: IExecuteFunctions,
	itemIndex: number,
	folder: IDataObject,
): Promise<boolean> {
	const folders = await listFolders(context, itemIndex);
	return folders.some((other) => folderUuidOf(other) === folderUuidOf(folder));
}

/** What the service returns for a folder, with `uuid` and `name` of the folder. */
async function usageOf(
	context: IExecuteFunctions,
	itemIndex: number,
	folder: IDataObject,
): Promise<IDataObject> {
	const uuid = folderUuidOf(folder) ?? '';
	const name = folderNameOf(folder) ?? '';
	try {
		const usage = await folderUsage(context, itemIndex, uuid);
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
