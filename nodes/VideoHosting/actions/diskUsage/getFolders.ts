import type { IDataObject } from 'n8n-workflow';

import { diskUsage } from '../../service/diskUsage';
import { listedFolders } from '../../service/folders';
import { duringWhat } from '../../transport/errors';
import { limitField, limitOf, returnAllField } from '../fields';
import { jsonObject, type Operation } from '../operation';

/** See docs/api-reference.md#list-galleries and docs/api-reference.md#disk-usage-of-a-gallery. */
export const getFolders: Operation = {
	name: 'Get for All Folders',
	description: 'Get the disk space of each folder, in bytes and in a readable form, one item per folder',
	action: 'Get disk usage of all folders',
	parameters: [returnAllField, limitField],
	returnsList: true,
	async execute(item) {
		const { context } = item;
		const limit = limitOf(item);
		const listed = await listedFolders(context);
		const usages: IDataObject[] = [];
		for (const { uuid, name = '' } of listed.slice(0, limit)) {
			if (uuid === undefined) throw item.error(`The record of the folder "${name}" contains no UUID`);
			const failing = `The disk usage of the folder "${name}" (${uuid}) could not be read.`;
			const usage = await diskUsage(context, uuid).catch(duringWhat(context, failing));
			usages.push({ uuid, name, ...jsonObject(usage) });
		}
		return usages;
	},
};
