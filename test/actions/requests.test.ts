import type { IDataObject } from 'n8n-workflow';

import { executeForJson } from '../execution/executeNode';
import type { OperationName, RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { validItem, validParameters } from '../parameters/validParameters';

let service: RunningService;
serviceForEachTest((started) => (service = started));

/** The records that validParameters() chooses. */
const hash = '5f1d7a84b9';
const videoHash = '9c3e0d51f7';
const uuid = '6a2f41a3-c54c-4fce-8a01-4c1b9f0e2d3b';
const planId = 'plan-1001';
const secret = 'plan-secret-7Qm2';
const payload = { planId };

interface Sent {
	endpoint: OperationName;
	/** Below `/v1/`. */
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	/** What the first item has among other fields. */
	output?: IDataObject;
}

/** Of each operation by `resource/operation`, the request that does what it is for. */
const REQUESTS: Record<string, Sent> = {
	'event/create': {
		...{ endpoint: 'eventInsert', path: 'events/insert' },
		body: { planId, title: 'All-hands', dateScheduled: '2030-05-01 18:00:00' },
	},
	'event/update': {
		...{ endpoint: 'eventUpdate', path: 'events/update' },
		body: { title: 'All-hands', eventId: 4001, secret, hash },
		output: { eventId: 4001, hash, title: 'All-hands' },
	},
	'event/start': {
		...{ endpoint: 'eventStartOrEnd', path: 'events/start-or-end-live' },
		body: { hash, secret, status: 'LIVE' },
		output: { hash, status: 'LIVE' },
	},
	'event/end': {
		...{ endpoint: 'eventStartOrEnd', path: 'events/start-or-end-live' },
		body: { hash, secret, status: 'END' },
		output: { hash, status: 'ON_DEMAND' },
	},
	'event/delete': {
		...{ endpoint: 'eventDelete', path: 'events/delete' },
		body: { eventIds: [4001] },
		output: { deleted: true, eventIds: [4001] },
	},
	'event/get': {
		...{ endpoint: 'eventSearchByHash', path: 'events/searchByHash', query: { planId, hash } },
		output: { eventId: 4001, hash, title: 'Town hall', status: 'WAITING_LIVE', planId },
	},
	'event/getAll': {
		...{ endpoint: 'eventSearchAll', path: 'events/searchAll' },
		query: { planId, actualPage: '1', quantity: '50', orderBy: 'date', orderType: 'ASC' },
		output: { hash },
	},
	'folder/count': { endpoint: 'folderTotal', path: 'folders/total', output: { folders: 1 } },
	'folder/getAll': { endpoint: 'folderList', path: 'folders', output: { uuid, name: 'Concerts' } },
	'folder/get': { endpoint: 'folderList', path: 'folders', output: { uuid, name: 'Concerts' } },
	'folder/create': {
		...{ endpoint: 'folderCreate', path: 'folders', body: { name: 'Webinars' } },
		output: { name: 'Webinars' },
	},
	'folder/update': {
		...{ endpoint: 'folderUpdate', path: `folders/${uuid}`, body: { name: 'Webinars' } },
		output: { uuid, name: 'Webinars' },
	},
	'folder/delete': {
		...{ endpoint: 'folderDelete', path: `folders/${uuid}`, body: { name: 'Concerts' } },
		output: { deleted: true, uuid, name: 'Concerts' },
	},
	'video/get': {
		...{ endpoint: 'videoList', path: 'videos/application', body: { payload } },
		query: { page: '1', orderBy: 'created_date', sort: 'DESC' },
		output: { hash: videoHash },
	},
	'video/getAll': {
		...{ endpoint: 'videoList', path: 'videos/application', body: { payload }, query: { page: '1' } },
		output: { hash: videoHash },
	},
	'video/search': {
		...{ endpoint: 'videoList', path: 'videos/application', body: { payload } },
		query: { name: 'Video', page: '1' },
		output: { hash: videoHash },
	},
	'video/update': {
		...{ endpoint: 'videoEdit', path: `videos/editVideo/${videoHash}/${planId}` },
		body: { name: 'Interview' },
		output: { hash: videoHash, name: 'Interview' },
	},
	'video/move': {
		...{ endpoint: 'videoMove', path: `videos/moveVideo/${videoHash}`, body: { folder_uuid: uuid } },
		output: { folder_uuid: uuid },
	},
	'video/delete': {
		...{ endpoint: 'videoDelete', path: `videos/deleteVideo/${videoHash}/${planId}` },
		output: { deleted: true, hash: videoHash },
	},
	'diskUsage/getApplication': {
		...{ endpoint: 'diskUsageByApplication', path: 'videos/diskusagebyapp' },
		output: { diskUsage: 7, diskUsageReadable: '7 B', videos: 2 },
	},
	'diskUsage/getFolder': {
		...{ endpoint: 'diskUsageByFolder', path: `videos/diskusagebyfolderandvideo/${uuid}` },
		output: { folder: 'Concerts', diskUsage: 3 },
	},
};

// The fake service compares method and headers with docs/api-reference.md, and rejects the request where they differ.
it.each(Object.entries(REQUESTS))(
	'%s sends what the reference wants, and returns the record',
	async (name, sent) => {
		service.seedEvents([{ hash, title: 'Town hall' }]);
		const [folder] = service.seedFolders([{ uuid, name: 'Concerts' }]);
		service.seedVideos([
			{ hash: videoHash, name: 'Video', size: 3, folder: folder?.uuid },
			{ name: 'Trailer', size: 4 },
		]);
		const [resource = '', operation = ''] = name.split('/');
		const [parameters = {}] = validParameters(resource, operation);

		const [output] = await executeForJson({ service, parameters, items: [await validItem()] });

		// Of a list of events, page 0 is tried first.
		const [request] = service.requestsOf(sent.endpoint).filter(({ query }) => query.actualPage !== '0');
		expect(request).toMatchObject({ path: `/v1/${sent.path}`, query: sent.query ?? {}, status: 200 });
		expect(request?.body).toEqual(sent.body);
		expect(request?.headers.authorization).toMatch(/^Bearer token-/);
		expect(output).toMatchObject(sent.output ?? {});
		expect(JSON.stringify(output)).not.toContain(secret);
	},
);
