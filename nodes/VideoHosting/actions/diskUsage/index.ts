import type { Resource } from '../operation';
import { getApplication, getFolder, getFolders } from './get';

export const diskUsage: Resource = {
	name: 'Disk Usage',
	description: 'Disk space that videos use',
	operations: { getFolders, getApplication, getFolder },
	defaultOperation: 'getApplication',
};
