import { updateDisplayOptions } from 'n8n-workflow';

import { resolveFolder } from '../../service/folderLookup';
import { path, requestJson } from '../../service/request';
import { withoutSecrets } from '../../service/secrets';
import { folderField } from '../fields';
import type { Operation } from '../operation';
import { folderParameter } from '../parameters';

/** See docs/api-reference.md#disk-usage-of-a-gallery. */
export const getFolder: Operation = {
	option: {
		name: 'Get for Folder',
		value: 'getFolder',
		description: 'Get the disk space that a folder and its videos use',
		action: 'Get the disk usage of a folder',
	},
	properties: updateDisplayOptions({ show: { resource: ['diskUsage'], operation: ['getFolder'] } }, [
		folderField,
	]),
	async execute(context, itemIndex) {
		const uuid = await resolveFolder(context, folderParameter(context, itemIndex), { itemIndex });
		const answer = await requestJson(context, {
			method: 'GET',
			path: path('videos', 'diskusagebyfolderandvideo', uuid),
			headers: { 'Content-Type': 'application/json' },
			itemIndex,
		});
		return withoutSecrets(answer);
	},
};
