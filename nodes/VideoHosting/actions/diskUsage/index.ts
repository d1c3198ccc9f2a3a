import type { IDataObject } from 'n8n-workflow';

import { foldersOfRun } from '../../service/folders';
import { toNodeError } from '../../transport/errors';
import { chosenFolder, folderField, limitField, limitOf, returnAllField } from '../fields';
import type { Item } from '../item';
import type { Operation, Resource } from '../operation';
import { jsonObject } from '../recordOutput';
import { withReadableSizes } from './readableSizes';

/** See docs/api-reference.md#disk-usage-of-the-application. */
const getApplication: Operation = {
	name: 'Get for Application',
	description: 'Get the disk space that all videos of the application use, in bytes and in a readable form',
	action: 'Get disk usage of application',
	parameters: [],
	async execute(item) {
		return withReadableSizes(await item.request('GET', ['videos', 'diskusagebyapp']));
	},
};

/** See docs/api-reference.md#disk-usage-of-a-gallery. */
const getFolder: Operation = {
	name: 'Get for Folder',
	description: 'Get the disk space that a folder and its videos use, in bytes and in a readable form',
	action: 'Get disk usage of folder',
	parameters: [folderField],
	async execute(item) {
		return await folderUsage(item, await chosenFolder(item));
	},
};

/** See docs/api-reference.md#list-galleries and docs/api-reference.md#disk-usage-of-a-gallery. */
const getFolders: Operation = {
	name: 'Get for All Folders',
	description: 'Get the disk space of each folder, in bytes and in a readable form, one item per folder',
	action: 'Get disk usage of all folders',
	parameters: [returnAllField, limitField],
	async execute(item) {
		const limit = limitOf(item);
		const listed = await foldersOfRun(item.context);
		const usages: IDataObject[] = [];
		for (const { uuid = '', name = '' } of listed.filter(({ uuid }) => uuid !== undefined).slice(0, limit)) {
			const usage = await folderUsage(item, uuid).catch((error: unknown) => {
				const failure = toNodeError(item.context, error);
				failure.message = `The disk usage of the folder "${name}" (${uuid}) could not be read. ${failure.message}`;
				throw failure;
			});
			usages.push({ uuid, name, ...jsonObject(usage) });
		}
		return usages;
	},
};

/** The disk usage of one folder and its videos, with readable sizes. */
async function folderUsage(item: Item, uuid: string): Promise<unknown> {
	return withReadableSizes(await item.request('GET', ['videos', 'diskusagebyfolderandvideo', uuid]));
}

export const diskUsage: Resource = {
	name: 'Disk Usage',
	description: 'Disk space that videos use',
	operations: { getFolders, getApplication, getFolder },
	defaultOperation: 'getApplication',
};
