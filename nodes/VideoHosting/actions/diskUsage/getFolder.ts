import { updateDisplayOptions } from 'n8n-workflow';

import { path, request } from '../../service/request';
import { withoutSecrets } from '../../service/secrets';
import { folderField } from '../fields';
import type { Operation } from '../operation';
import { folderUuidOfParameter } from '../parameters';

/** Reference 23. */
export const getFolder: Operation = {
	option: {
		name: 'Get for Folder',
		value: 'getFolder',
		description: 'Get the disk space that a folder and its videos take',
		action: 'Get the disk usage of a folder',
	},
	properties: updateDisplayOptions({ show: { resource: ['diskUsage'], operation: ['getFolder'] } }, [
		folderField,
	]),
	async execute(context, itemIndex) {
		const answer = await request(context, {
			method: 'GET',
			path: path('videos', 'diskusagebyfolderandvideo', folderUuidOfParameter(context, itemIndex)),
			headers: { 'Content-Type': 'application/json' },
			itemIndex,
		});
		return withoutSecrets(answer);
	},
};
