import type { Resource } from '../operation';
import { getApplication } from './getApplication';
import { getFolder } from './getFolder';
import { getFolders } from './getFolders';

export const diskUsage: Resource = {
	name: 'Disk Usage',
	description: 'Disk space that videos use',
	operations: { getFolders, getApplication, getFolder },
	defaultOperation: 'getApplication',
};
