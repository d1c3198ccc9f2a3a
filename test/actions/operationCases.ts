import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { itemWithFile } from '../execution/executeNode';
import { by } from '../execution/locator';
import type { OperationName } from '../fakeService';

/** The records that {@link validParameters} chooses. */
const hash = '5f1d7a84b9';
const videoHash = '9c3e0d51f7';
const uuid = '6a2f41a3-c54c-4fce-8a01-4c1b9f0e2d3b';
const planId = 'plan-1001';
const secret = 'plan-secret-7Qm2';
const payload = { planId };
export const records = { hash, videoHash, uuid };

/** The request that an operation is for. */
export interface SentRequest {
	endpoint: OperationName;
	/** Below `/v1/`. */
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	/** What the first item has among other fields. */
	output?: IDataObject;
}

/** What the tests know of an operation. */
interface OperationCase {
	/** The internal names of its parameters: saved workflows and templates depend on them. */
	parameters: string[];
	/** What it needs besides its defaults and a record of each kind to be valid; several where the panel changes. */
	values?: INodeParameters[];
	/** The request, or the file that tests it. */
	request: SentRequest | `test/${string}.test.ts`;
	/** docs/api-reference.md names no field of its response, so nothing can be shown before the first run. */
	hasNoSchema?: boolean;
}

const TRANSFER_OPTIONS = [
	'options.idleTimeoutSeconds',
	'options.maxRequestMegabytes',
	'options.maxWaitMinutes',
	'options.returnVideo',
];
const SOURCE = ['source', 'binaryPropertyName', 'url', 'fileName', 'folder', 'options.planId'];

/** Every operation by `resource/operation`. */
export const CASES: Record<string, OperationCase> = {
	'diskUsage/getApplication': {
		parameters: [],
		request: {
			endpoint: 'diskUsageByApplication',
			path: 'videos/diskusagebyapp',
			output: { diskUsage: 7, diskUsageReadable: '7 B', videos: 2 },
		},
		hasNoSchema: true,
	},
	'diskUsage/getFolder': {
		parameters: ['folder'],
		request: {
			endpoint: 'diskUsageByFolder',
			path: `videos/diskusagebyfolderandvideo/${uuid}`,
			output: { folder: 'Concerts', diskUsage: 3 },
		},
		hasNoSchema: true,
	},
	'diskUsage/getFolders': {
		parameters: ['returnAll', 'limit'],
		request: {
			endpoint: 'diskUsageByFolder',
			path: `videos/diskusagebyfolderandvideo/${uuid}`,
			output: { uuid, name: 'Concerts', diskUsage: 3, diskUsageReadable: '3 B' },
		},
	},
	'event/create': {
		parameters: ['options.planId', 'title', 'dateScheduled', 'options.timezone', 'options.skipIfExists'],
		values: [{ title: 'All-hands', dateScheduled: '2030-05-01 18:00' }],
		request: {
			endpoint: 'eventInsert',
			path: 'events/insert',
			body: { planId, title: 'All-hands', dateScheduled: '2030-05-01 18:00:00' },
		},
	},
	'event/delete': {
		parameters: ['options.planId', 'event'],
		values: [{ event: by('id', '4001') }],
		request: {
			endpoint: 'eventDelete',
			path: 'events/delete',
			body: { eventIds: [4001] },
			output: { deleted: true, eventIds: [4001] },
		},
	},
	'event/end': {
		parameters: ['options.planId', 'event', 'options.secret', 'options.extraBody'],
		request: {
			endpoint: 'eventStartOrEnd',
			path: 'events/start-or-end-live',
			body: { hash, secret, status: 'END' },
			output: { hash, status: 'ON_DEMAND' },
		},
	},
	'event/get': {
		parameters: ['options.planId', 'event', 'options.includeSecret'],
		request: {
			endpoint: 'eventSearchByHash',
			path: 'events/searchByHash',
			query: { planId, hash },
			output: { eventId: 4001, hash, title: 'Town hall', status: 'WAITING_LIVE', planId },
		},
	},
	'event/getAll': {
		parameters: [
			'options.planId',
			'returnAll',
			'limit',
			'options.orderBy',
			'options.orderType',
			'filters.scheduledAfter',
			'filters.scheduledBefore',
			'filters.status',
			'options.includeSecret',
		],
		request: {
			endpoint: 'eventSearchAll',
			path: 'events/searchAll',
			query: { planId, actualPage: '1', quantity: '50', orderBy: 'date', orderType: 'ASC' },
			output: { hash },
		},
	},
	'event/start': {
		parameters: ['options.planId', 'event', 'options.secret', 'options.extraBody'],
		request: {
			endpoint: 'eventStartOrEnd',
			path: 'events/start-or-end-live',
			body: { hash, secret, status: 'LIVE' },
			output: { hash, status: 'LIVE' },
		},
	},
	'event/update': {
		parameters: ['options.planId', 'event', 'title', 'options.eventId', 'options.secret'],
		values: [{ title: 'All-hands' }],
		request: {
			endpoint: 'eventUpdate',
			path: 'events/update',
			body: { title: 'All-hands', eventId: 4001, secret, hash },
			output: { eventId: 4001, hash, title: 'All-hands' },
		},
	},
	'folder/count': {
		parameters: [],
		request: { endpoint: 'folderTotal', path: 'folders/total', output: { folders: 1 } },
	},
	'folder/create': {
		parameters: ['name', 'options.description', 'options.skipIfExists'],
		values: [{ name: 'Webinars' }],
		request: {
			endpoint: 'folderCreate',
			path: 'folders',
			body: { name: 'Webinars' },
			output: { name: 'Webinars' },
		},
	},
	'folder/delete': {
		parameters: ['folder', 'options.name'],
		request: {
			endpoint: 'folderDelete',
			path: `folders/${uuid}`,
			body: { name: 'Concerts' },
			output: { deleted: true, uuid, name: 'Concerts' },
		},
	},
	'folder/get': {
		parameters: ['folder'],
		request: { endpoint: 'folderList', path: 'folders', output: { uuid, name: 'Concerts' } },
	},
	'folder/getAll': {
		parameters: ['returnAll', 'limit'],
		request: { endpoint: 'folderList', path: 'folders', output: { uuid, name: 'Concerts' } },
	},
	'folder/update': {
		parameters: ['folder', 'updateFields.name', 'updateFields.description'],
		values: [{ updateFields: { name: 'Webinars' } }],
		request: {
			endpoint: 'folderUpdate',
			path: `folders/${uuid}`,
			body: { name: 'Webinars' },
			output: { uuid, name: 'Webinars' },
		},
	},
	'upload/create': {
		parameters: ['fileName', 'size', 'folder', 'options.maxWaitMinutes'],
		values: [{ fileName: 'film.mp4', size: 15 }],
		request: 'test/upload/operations.test.ts',
	},
	'upload/getStatus': {
		parameters: ['uploadId'],
		values: [{ uploadId: 'abc' }],
		request: 'test/upload/operations.test.ts',
	},
	'upload/resume': {
		parameters: ['uploadId', ...SOURCE, ...TRANSFER_OPTIONS, 'options.title'],
		values: [
			{ uploadId: 'abc', source: 'binary' },
			{ uploadId: 'abc', source: 'url', url: 'https://files.example.com/film.mp4' },
		],
		request: 'test/upload/operations.test.ts',
	},
	'upload/upload': {
		parameters: [
			...SOURCE,
			...TRANSFER_OPTIONS,
			'options.createFolder',
			'options.resumeUnfinished',
			'options.skipIfExists',
			'options.thumbnailBinaryPropertyName',
			'options.title',
		],
		values: [{ source: 'binary' }, { source: 'url', url: 'https://files.example.com/film.mp4' }],
		request: 'test/upload/newVideo.test.ts',
	},
	'video/delete': {
		parameters: ['options.planId', 'video'],
		request: {
			endpoint: 'videoDelete',
			path: `videos/deleteVideo/${videoHash}/${planId}`,
			output: { deleted: true, hash: videoHash },
		},
	},
	'video/get': {
		parameters: ['options.planId', 'video'],
		request: {
			endpoint: 'videoList',
			path: 'videos/application',
			body: { payload },
			query: { page: '1', orderBy: 'created_date', sort: 'DESC' },
			output: { hash: videoHash },
		},
	},
	'video/getAll': {
		parameters: [
			'options.planId',
			'returnAll',
			'limit',
			'filters.name',
			'filters.folder',
			'filters.initialDate',
			'filters.endDate',
			'options.orderBy',
			'options.sort',
		],
		request: {
			endpoint: 'videoList',
			path: 'videos/application',
			body: { payload },
			query: { page: '1' },
			output: { hash: videoHash },
		},
	},
	'video/move': {
		parameters: ['options.planId', 'video', 'folder', 'options.createFolder'],
		request: {
			endpoint: 'videoMove',
			path: `videos/moveVideo/${videoHash}`,
			body: { folder_uuid: uuid },
			output: { folder_uuid: uuid },
		},
	},
	'video/search': {
		parameters: ['options.planId', 'name', 'returnAll', 'limit'],
		values: [{ name: 'Video' }],
		request: {
			endpoint: 'videoList',
			path: 'videos/application',
			body: { payload },
			query: { name: 'Video', page: '1' },
			output: { hash: videoHash },
		},
	},
	'video/setThumbnail': {
		parameters: ['options.planId', 'video', 'source', 'binaryPropertyName', 'url'],
		values: [{ source: 'binary' }, { source: 'url', url: 'https://files.example.com/film.png' }],
		request: 'test/actions/video/setThumbnail.test.ts',
	},
	'video/update': {
		parameters: ['options.planId', 'video', 'name'],
		values: [{ name: 'Interview' }],
		request: {
			endpoint: 'videoEdit',
			path: `videos/editVideo/${videoHash}/${planId}`,
			body: { name: 'Interview' },
			output: { hash: videoHash, name: 'Interview' },
		},
	},
};

/** Parameters with which an operation has nothing to object to; of an operation unknown here, its defaults. */
export function validParameters(resource: string, operation: string): INodeParameters[] {
	const common = { event: by('hash', hash), folder: by('uuid', uuid), video: by('hash', videoHash) };
	return (CASES[`${resource}/${operation}`]?.values ?? [{}]).map((own) => ({
		resource,
		operation,
		...common,
		...own,
	}));
}

/** An input item with the file that the operations which read one expect: an image, which Upload accepts as well. */
export async function validItem(): Promise<INodeExecutionData> {
	return await itemWithFile(Buffer.from('bytes of an image'), {
		fileName: 'film.png',
		mimeType: 'image/png',
	});
}
