import type { Resource } from '../operation';
import { create } from './create';
import { deleteEvent } from './delete';
import { get } from './get';
import { getAll } from './getAll';
import { end, start } from './startOrEnd';
import { update } from './update';
import { upsert } from './upsert';

export const event: Resource = {
	name: 'Event',
	description: 'Live event of a plan',
	operations: { create, upsert, delete: deleteEvent, end, get, getAll, start, update },
	defaultOperation: 'create',
};
