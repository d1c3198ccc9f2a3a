import type { Resource } from '../operation';
import { deleteVideo } from './delete';
import { get } from './get';
import { getAll } from './getAll';
import { move } from './move';
import { search } from './search';
import { setThumbnail } from './setThumbnail';
import { update } from './update';

export const video: Resource = {
	name: 'Video',
	description: 'Video of a plan',
	operations: { delete: deleteVideo, get, getAll, move, search, setThumbnail, update },
	defaultOperation: 'getAll',
};
