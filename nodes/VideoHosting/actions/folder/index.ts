import type { Resource } from '../operation';
import { count } from './count';
import { create } from './create';
import { deleteFolder } from './delete';
import { get } from './get';
import { getAll } from './getAll';
import { update } from './update';

export const folder: Resource = {
	name: 'Folder',
	description: 'Folder for videos, on the screens of the service a gallery',
	operations: { count, create, delete: deleteFolder, get, getAll, update },
	defaultOperation: 'getAll',
};
