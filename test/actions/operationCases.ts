import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { itemWithFile } from '../execution/executeNode';
import { by } from '../execution/locator';
import { responseShapes, type OperationName, type ServiceSettings } from '../fakeService';
import { service } from '../fakeService/serviceForEachTest';
import { mp4Of } from '../n8n/files';

/** The records that {@link validParameters} chooses. */
const hash = '5f1d7a84b9';
const videoHash = '9c3e0d51f7';
const uuid = '6a2f41a3-c54c-4fce-8a01-4c1b9f0e2d3b';
const planId = 'plan-1001';
const secret = 'plan-secret-7Qm2';
const payload = { planId };
export const records = { hash, videoHash, uuid };

/** Adds the records to the fake service of the test. */
export function seedRecords(): void {
	service.seedEvents([{ hash, title: 'Town hall' }]);
	service.seedFolders([{ uuid, name: 'Concerts' }]);
	service.seedVideos([
		{ hash: videoHash, name: 'Video', size: 3, folder: uuid },
		{ name: 'Trailer', size: 4 },
	]);
}

/** The request that an operation is for. */
interface SentRequest {
	endpoint: OperationName;
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
	/** Undefined for uploads: test/upload. */
	request?: SentRequest;
	/** docs/api-reference.md names no field of its response, so nothing can be shown before the first run. */
	hasNoSchema?: boolean;
}

/**
 * Modes of the fields that choose a record, From List first: saved workflows depend on these names. Event → Delete takes IDs, too.
 */
export const MODES: Record<string, string[]> = {
	event: ['list', 'hash', 'title', 'externalId'],
	video: ['list', 'hash', 'name'],
	folder: ['list', 'uuid', 'name'],
};

const options = (...names: string[]) => names.map((name) => `options.${name}`);
const filters = (...names: string[]) => names.map((name) => `filters.${name}`);
const TRANSFER = options('idleTimeoutSeconds', 'maxRequestMegabytes', 'maxWaitMinutes', 'returnVideo');
const SOURCE = ['source', 'binaryPropertyName', 'url', 'fileName', 'title', 'folder', ...options('planId')];
/** The list of videos, in which a video is also found by its hash. */
const videoList = { endpoint: 'videoList', body: { payload }, output: { hash: videoHash } } as const;

/** Every operation by `resource/operation`. */
export const CASES: Record<string, OperationCase> = {
	'diskUsage/getApplication': {
		parameters: [],
		request: { endpoint: 'diskUsageByApplication', output: { diskUsage: 7 } },
		hasNoSchema: true,
	},
	'diskUsage/getFolder': {
		parameters: ['folder'],
		request: { endpoint: 'diskUsageByFolder', output: { folder: 'Concerts', diskUsage: 3 } },
		hasNoSchema: true,
	},
	'diskUsage/getFolders': {
		parameters: ['returnAll', 'limit'],
		request: { endpoint: 'diskUsageByFolder', output: { uuid, diskUsage: 3 } },
	},
	'event/create': {
		parameters: ['title', 'dateScheduled', ...options('planId', 'timezone', 'skipIfExists')],
		values: [{ title: 'Gala', dateScheduled: '2030-05-01 18:00' }],
		request: {
			endpoint: 'eventInsert',
			body: { planId, title: 'Gala', dateScheduled: '2030-05-01 18:00:00' },
		},
	},
	'event/delete': {
		parameters: ['event', ...options('planId', 'skipIfMissing')],
		values: [{ event: by('id', '4001') }],
		request: { endpoint: 'eventDelete', body: { eventIds: [4001] }, output: { deleted: true } },
	},
	'event/end': {
		parameters: ['event', ...options('planId', 'secret', 'extraBody')],
		request: { endpoint: 'eventStartOrEnd', body: { hash, secret, status: 'END' }, output: { hash } },
	},
	'event/get': {
		parameters: ['event', ...options('planId', 'includeSecret')],
		request: { endpoint: 'eventSearchByHash', query: { planId, hash }, output: { title: 'Town hall' } },
	},
	'event/getAll': {
		parameters: [
			'returnAll',
			'limit',
			...filters('scheduledAfter', 'scheduledBefore', 'status'),
			...options('planId', 'orderBy', 'orderType', 'includeSecret'),
		],
		request: {
			endpoint: 'eventSearchAll',
			query: { planId, actualPage: '1', quantity: '50', orderBy: 'date', orderType: 'ASC' },
			output: { hash },
		},
	},
	'event/start': {
		parameters: ['event', ...options('planId', 'secret', 'extraBody')],
		request: {
			endpoint: 'eventStartOrEnd',
			body: { hash, secret, status: 'LIVE' },
			output: { status: 'LIVE' },
		},
	},
	'event/update': {
		parameters: ['event', 'title', ...options('planId', 'eventId', 'secret')],
		values: [{ title: 'Gala' }],
		request: {
			endpoint: 'eventUpdate',
			body: { title: 'Gala', eventId: 4001, secret, hash },
			output: { hash, title: 'Gala' },
		},
	},
	'event/upsert': {
		parameters: ['externalId', 'title', 'dateScheduled', ...options('planId', 'timezone', 'secret')],
		values: [{ externalId: 'abc', title: 'Town hall', dateScheduled: '2030-01-01 18:00' }],
		request: {
			endpoint: 'eventSearchAll',
			query: { planId, quantity: '100', orderBy: 'date', orderType: 'DESC' },
			output: { hash, change: 'none' },
		},
	},
	'folder/count': {
		parameters: [],
		request: { endpoint: 'folderTotal', output: { folders: 1 } },
	},
	'folder/create': {
		parameters: ['name', ...options('description', 'skipIfExists')],
		values: [{ name: 'Webinars' }],
		request: { endpoint: 'folderCreate', body: { name: 'Webinars' }, output: { name: 'Webinars' } },
	},
	'folder/delete': {
		parameters: ['folder', ...options('name')],
		request: { endpoint: 'folderDelete', body: { name: 'Concerts' }, output: { deleted: true, uuid } },
	},
	'folder/get': {
		parameters: ['folder'],
		request: { endpoint: 'folderList', output: { uuid, name: 'Concerts' } },
	},
	'folder/getAll': {
		parameters: ['returnAll', 'limit'],
		request: { endpoint: 'folderList', output: { uuid, name: 'Concerts' } },
	},
	'folder/update': {
		parameters: ['folder', 'updateFields.name', 'updateFields.description'],
		values: [{ updateFields: { name: 'Webinars' } }],
		request: { endpoint: 'folderUpdate', body: { name: 'Webinars' }, output: { uuid, name: 'Webinars' } },
	},
	'upload/create': {
		parameters: ['fileName', 'size', 'folder', ...options('maxWaitMinutes')],
		values: [{ fileName: 'film.mp4', size: 15 }],
	},
	'upload/getStatus': {
		parameters: ['uploadId'],
		values: [{ uploadId: 'abc' }],
	},
	'upload/resume': {
		parameters: ['uploadId', ...SOURCE, ...TRANSFER],
		values: [
			{ uploadId: 'abc', source: 'binary' },
			{ uploadId: 'abc', source: 'url', url: 'https://files.example.com/film.mp4' },
		],
	},
	'upload/upload': {
		parameters: [
			...SOURCE,
			...TRANSFER,
			...options('createFolder', 'resumeUnfinished', 'skipIfExists'),
			...options('thumbnailBinaryPropertyName'),
		],
		values: [{ source: 'binary' }, { source: 'url', url: 'https://files.example.com/film.mp4' }],
	},
	'video/delete': {
		parameters: ['video', ...options('planId')],
		request: { endpoint: 'videoDelete', output: { deleted: true, hash: videoHash } },
	},
	'video/get': {
		parameters: ['video', ...options('planId')],
		request: { ...videoList, query: { page: '1', orderBy: 'created_date', sort: 'DESC' } },
	},
	'video/getAll': {
		parameters: [
			'returnAll',
			'limit',
			...filters('name', 'folder', 'initialDate', 'endDate'),
			...options('planId', 'orderBy', 'sort'),
		],
		request: { ...videoList, query: { page: '1' } },
	},
	'video/move': {
		parameters: ['video', 'folder', ...options('planId', 'createFolder')],
		request: { endpoint: 'videoMove', body: { folder_uuid: uuid }, output: { folder_uuid: uuid } },
	},
	'video/search': {
		parameters: ['name', 'returnAll', 'limit', ...options('planId')],
		values: [{ name: 'Video' }],
		request: { ...videoList, query: { name: 'Video', page: '1' } },
	},
	'video/setThumbnail': {
		parameters: ['video', 'source', 'binaryPropertyName', 'url', ...options('planId')],
		values: [{ source: 'binary' }, { source: 'url', url: 'https://files.example.com/film.png' }],
		request: { endpoint: 'videoThumbnail', output: { thumbnailSet: true } },
	},
	'video/update': {
		parameters: ['video', 'name', ...options('planId')],
		values: [{ name: 'Interview' }],
		request: { endpoint: 'videoEdit', body: { name: 'Interview' }, output: { name: 'Interview' } },
	},
};

/** Parameters with which an operation, `resource/operation`, has nothing to object to. */
export function validParameters(name: string): INodeParameters[] {
	const [resource = '', operation = ''] = name.split('/');
	const chosen = { event: by('hash', hash), folder: by('uuid', uuid), video: by('hash', videoHash) };
	return (CASES[name]?.values ?? [{}]).map((own) => ({ resource, operation, ...chosen, ...own }));
}

/** Each operation that is for one request, with valid parameters. */
export const REQUESTS = Object.entries(CASES).flatMap(([name, { request }]) => {
	const [parameters = {}] = validParameters(name);
	return request ? [{ name, parameters, ...request }] : [];
});

/** An input item with the file that the operations which read one expect: an image by its type, and no known one by its bytes. */
export async function validItem(): Promise<INodeExecutionData> {
	const file = { fileName: 'film.png', mimeType: 'image/png' };
	return await itemWithFile(mp4Of(''), file);
}

/** Settings of the fake service with each form of its responses at least once, and both names of the records in each form of one. */
export function responseForms(): Array<Partial<ServiceSettings>> {
	const { listShapes, recordNames, singleShapes, writeResponses } = responseShapes;
	return listShapes.map((listShape, index) => ({
		listShape,
		recordNames: recordNames[index % recordNames.length],
		singleShape: singleShapes[Math.floor(index / 2) % singleShapes.length],
		writeResponse: writeResponses[index % writeResponses.length],
		headReturnsLength: index % 2 === 0,
	}));
}
