import type { IDataObject } from 'n8n-workflow';

import { quoted } from '../../parameters/values';
import { diskUsage } from '../../service/diskUsage';
import { foldersOfRun } from '../../service/folders';
import { duringWhat, saysNotFound, toNodeError, type NodeError } from '../../transport/errors';
import { limitFields, limitOf } from '../fields';
import { jsonObject, type Operation } from '../operation';

/**
 * See docs/api-reference.md#list-galleries and docs/api-reference.md#disk-usage-of-a-gallery. When the node continues on errors, a
 * folder that fails is an error item beside the others.
 */
export const getFolders: Operation = {
	name: 'Get for All Folders',
	description: 'Get the disk space of each folder, in bytes and in a readable form, one item per folder',
	action: 'Get disk usage of all folders',
	parameters: limitFields,
	returnsList: true,
	async execute(item) {
		const { context } = item;
		const limit = limitOf(item);
		const listed = await foldersOfRun(context);
		const usages: Array<IDataObject | NodeError> = [];
		for (const { uuid, name = '' } of listed.slice(0, limit)) {
			if (uuid === undefined) throw item.error(`The record of the folder ${quoted(name)} contains no UUID`);
			const failing = `The disk usage of the folder ${quoted(name)} (${uuid}) could not be read.`;
			try {
				const usage = await diskUsage(context, uuid).catch(duringWhat(context, failing));
				usages.push({ uuid, name, ...jsonObject(usage) });
			} catch (error) {
				// It was deleted after the list was read.
				if (saysNotFound(error)) continue;
				const failure = toNodeError(context, error);
				if (!context.continueOnFail()) throw failure;
				failure.context.output = { uuid, name };
				usages.push(failure);
			}
		}
		return usages;
	},
};
