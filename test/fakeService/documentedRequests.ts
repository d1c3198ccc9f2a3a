import type { AxiosInstance, AxiosResponse } from 'axios';

import { createHeaders, json, jsonUtf8, patchHeaders } from './axiosClient';
import { operations, type OperationName } from './operations';

/** UUID that the samples name; no gallery or upload has it unless a test seeds one. */
export const uuid = '7c1b6f2e-0b7a-4b0e-8a57-3f6f0d1f2a3b';

/** What each operation is sent when all is well. `false` makes axios leave out a header. */
export interface Sample {
	path?: string;
	params?: Record<string, unknown>;
	data?: unknown;
	headers?: Record<string, string | false>;
}

const accept = { Accept: 'application/json' };
export const samples: Record<OperationName, Sample> = {
	authenticate: { data: { email: 'e', password: 'p', resource: uuid }, headers: { ...json } },
	eventInsert: {
		data: { planId: 'plan-1001', title: 'T', dateScheduled: '2031-02-28 10:00:00' },
		headers: { ...json },
	},
	eventUpdate: { data: { title: 'T', eventId: 1, secret: 's', hash: 'h' }, headers: { ...accept } },
	eventStartOrEnd: { data: { secret: 's', hash: 'h', status: 'LIVE' }, headers: { ...jsonUtf8 } },
	eventDelete: { data: { eventIds: [1] }, headers: { ...accept, ...jsonUtf8 } },
	eventSearchByHash: { params: { planId: 'plan-1001', hash: 'h' }, headers: { ...accept, ...json } },
	eventSearchAll: {
		params: { planId: 'plan-1001', actualPage: 1, quantity: 5, orderBy: 'date', orderType: 'ASC' },
		headers: { ...accept },
	},
	folderTotal: {},
	folderList: {},
	folderCreate: { data: { name: 'F' } },
	folderUpdate: { path: `/v1/folders/${uuid}`, data: { name: 'F' } },
	folderDelete: { path: `/v1/folders/${uuid}`, data: { name: 'F' } },
	uploadCreate: { headers: createHeaders(10) },
	uploadPatch: { path: `/v1/videos/uploads/${uuid}`, data: Buffer.alloc(10), headers: patchHeaders(0) },
	uploadHead: { path: `/v1/videos/uploads/${uuid}`, headers: { 'Tus-Resumable': '1.0.0' } },
	videoDelete: { path: '/v1/videos/deleteVideo/h/plan-1001', headers: { ...accept, ...json } },
	videoThumbnail: { path: '/v1/videos/uploadThumb/h/plan-1001', headers: { ...accept } },
	videoEdit: {
		path: '/v1/videos/editVideo/h/plan-1001',
		data: { name: 'V' },
		headers: { ...accept, ...json },
	},
	videoList: { data: { payload: { planId: 'plan-1001' } }, headers: { ...accept, ...json } },
	videoMove: {
		path: '/v1/videos/moveVideo/h',
		data: { folder_uuid: uuid },
		headers: { ...accept, ...json },
	},
	diskUsageByApplication: { headers: { ...json } },
	diskUsageByFolder: { path: `/v1/videos/diskusagebyfolderandvideo/${uuid}`, headers: { ...json } },
};

/** Sends the sample of an operation; `change` replaces parts of it, headers one by one. */
export function send(
	client: AxiosInstance,
	name: OperationName,
	change: Sample = {},
): Promise<AxiosResponse> {
	const { path, params, data } = { ...samples[name], ...change };
	const form = name === 'videoThumbnail' && data === undefined ? thumbnailForm() : data;
	return client.request({
		method: operations[name].methods[0],
		url: path ?? operations[name].path,
		params,
		// axios sends Content-Type only with a body.
		data: form ?? (operations[name].methods[0] === 'GET' ? {} : undefined),
		headers: { ...samples[name].headers, ...change.headers },
	});
}

function thumbnailForm(): FormData {
	const form = new FormData();
	form.append('file', new Blob(['x'], { type: 'image/png' }), 'x.png');
	return form;
}
