import type { IDataObject } from 'n8n-workflow';

import { eventStatusOf } from '../../nodes/VideoHosting/service/eventStatuses';
import {
	createdDateOf,
	dateScheduledOf,
	eventIdOf,
	eventTitleOf,
	identityOf,
	isInFolder,
	planSecretOf,
	videoHashOf,
	videoNameOf,
} from '../../nodes/VideoHosting/service/recordFields';
import {
	containsNoRecord,
	extractList,
	extractRecord,
	meansEmptyList,
} from '../../nodes/VideoHosting/service/responseParsing';
import { serviceTime } from '../../nodes/VideoHosting/service/serviceDate';
import { executeForJson } from '../execution/executeNode';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

/** Every structure of an undocumented response that is accepted (A1); all other tests use one. */
const record = { hash: 'a', title: 'x' };

describe('The records of a list', () => {
	const records = [{ hash: 'a' }, { hash: 'b' }];
	it.each([
		[records],
		[{ EVENTS: records, total: 2 }],
		[{ events: 2, data: records }],
		[{ data: records, links: [1, 2] }],
	])('%j', (response) => {
		expect(extractList(response, 'events')).toEqual(records);
	});

	it.each([[null], [[]], [{ events: [] }]])('are empty in %j', (response) => {
		expect(extractList(response, 'events')).toEqual([]);
	});

	it.each([[''], [7], [{ message: 'ok' }], [[1, 2]], [{ a: records }]])('are not found in %j', (response) => {
		expect(extractList(response, 'events')).toBeUndefined();
	});

	it.each([
		['No events found.', true],
		['There are no galleries yet', true],
		['Plan not found', false],
		['The route v1/events/searchAll could not be found.', false],
	])('404 "%s" means an empty list: %s', (words, isEmpty) => {
		expect(meansEmptyList(words)).toBe(isEmpty);
	});
});

describe('One record', () => {
	it.each([[record], [[record]], [{ event: record, success: true, message: 'ok' }], [{ data: record }]])(
		'of %j',
		(response) => {
			expect(extractRecord(response, 'event')).toEqual(record);
		},
	);

	it('keeps the fields next to it', () => {
		const response = { event: record, success: true, rtmpUrl: 'rtmp://a', title: 'other' };
		expect(extractRecord(response, 'event')).toEqual({ ...record, rtmpUrl: 'rtmp://a' });
	});

	it.each([[{ hash: 'a', data: { viewers: 3 } }], [{ success: 'Event deleted' }], [1], [[record, record]]])(
		'is left as it is: %j',
		(response) => {
			expect(extractRecord(response, 'event')).toEqual(response);
		},
	);

	it.each([
		[null, true],
		[[], true],
		[{ data: null }, true],
		['', false],
		[{ hash: 'a', content: null }, false],
		[{ message: 'Hello' }, false],
	])('does not exist according to %j: %s', (response, isMissing) => {
		expect(containsNoRecord(response, 'event')).toBe(isMissing);
	});
});

describe('Fields of records', () => {
	const uuid = '6a2f41a3-c54c-4fce-8a01-4c1b9f0e2d3b';
	const isInIt = (video: IDataObject) => isInFolder(video, { uuid, name: 'Webinars' });
	it.each<[(event: IDataObject) => unknown, IDataObject, unknown]>([
		[planSecretOf, { plan_secret: 's' }, 's'],
		[planSecretOf, { plan: { secret: 's' } }, 's'],
		[planSecretOf, { secret: '' }, undefined],
		[eventIdOf, { event_id: '7' }, 7],
		[eventIdOf, { id: 'a7' }, undefined],
		[eventTitleOf, { name: 'x' }, 'x'],
		[dateScheduledOf, { date_scheduled: '2030-01-01' }, '2030-01-01'],
		[videoHashOf, { videoHash: 'a' }, 'a'],
		[videoNameOf, { video_name: 'x' }, 'x'],
		[createdDateOf, { created_at: '2030-01-01' }, '2030-01-01'],
		[identityOf, { id: 1, hash: 'a' }, 'a'],
		[identityOf, { title: 'x' }, '{"title":"x"}'],
		[isInIt, { folder_uuid: uuid.toUpperCase() }, true],
		[isInIt, { gallery: { name: 'Webinars' } }, true],
		[isInIt, { folder: null }, false],
		[isInIt, { name: 'x' }, undefined],
		[eventStatusOf, { status: 'on demand' }, 'ON_DEMAND'],
		[eventStatusOf, { status: 'active', liveStatus: 'LIVE' }, 'LIVE'],
		[eventStatusOf, { status: 'Paused' }, 'PAUSED'],
	])('%p of %j is %s', (fieldOf, given, value) => {
		expect(fieldOf(given)).toBe(value);
	});

	it.each([
		['1782898200', Date.UTC(2026, 6, 1, 9, 30)],
		['1782898200000', Date.UTC(2026, 6, 1, 9, 30)],
		['2026-07-01 09:30:00', Date.UTC(2026, 6, 1, 9, 30)],
		['2026-07-01T11:30:00.000+02:00', Date.UTC(2026, 6, 1, 9, 30)],
		['01/07/2026', undefined],
	])('The date %s is read where it means one moment', (written, time) => {
		expect(serviceTime(written, 'UTC')).toBe(time);
	});
});

describe('A response with status 200', () => {
	let service: RunningService;
	serviceForEachTest((started) => (service = started));
	const count = { resource: 'folder', operation: 'count' };
	const answer = (body: object) =>
		service.injectFault({ on: 'folderTotal', kind: 'status', status: 200, body: JSON.stringify(body) });

	it.each([{ error: 'Folder not found' }, { success: false, message: 'Folder not found' }])(
		'that reports a failure is an error with its message: %j',
		async (body) => {
			answer(body);
			await expect(executeForJson({ service, parameters: count })).rejects.toThrow(/^Folder not found/);
		},
	);

	it.each([
		{ error: null },
		{ error: false },
		{ success: 'Done' },
		{ hash: 'abc', error: 'transcoding failed' },
	])('is no failure: %j', async (body) => {
		answer(body);
		expect(await executeForJson({ service, parameters: count })).toEqual([body]);
	});
});
