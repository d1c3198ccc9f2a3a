import type { IDataObject } from 'n8n-workflow';

import { quoted } from '../../parameters/values';
import { diskUsage } from '../../service/diskUsage';
import { foldersOfRun } from '../../service/folders';
import { saysNotFound } from '../../transport/errorMeaning';
import { OperationError, around } from '../../transport/serviceError';
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
		const usages: Array<IDataObject | OperationError> = [];
		for (const { uuid, name = '' } of listed.slice(0, limit)) {
			if (uuid === undefined)
				throw new OperationError(`The record of the folder ${quoted(name)} contains no UUID`);
			const before = `The disk usage of the folder ${quoted(name)} (${uuid}) could not be read.`;
			try {
				const usage = await diskUsage(context, uuid);
				usages.push({ uuid, name, ...jsonObject(usage) });
			} catch (error) {
				// It was deleted after the list was read.
				if (saysNotFound(error)) continue;
				const failure = around(error, { before, output: { uuid, name } });
				if (!context.continueOnFail()) throw failure;
				usages.push(failure);
			}
		}
		return usages;
	},
};
