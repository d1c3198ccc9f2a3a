import type { Resource } from '../operation';
import { getApplication } from './getApplication';
import { getFolders } from './getFolders';
import { getFolder } from './getFolder';

export const diskUsage: Resource = {
	option: { name: 'Disk Usage', value: 'diskUsage', description: 'Disk space that videos use' },
	operations: [getFolders, getApplication, getFolder],
	defaultOperation: 'getApplication',
};
