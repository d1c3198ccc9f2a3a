import { toEvent, type Event } from '../../nodes/VideoHosting/service/event';
import { isIn, toVideo, type Video } from '../../nodes/VideoHosting/service/video';
import { isNothing, listIn, meansEmptyList, recordIn } from '../../nodes/VideoHosting/transport/response';
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
		expect(listIn(200, response, 'event')?.records).toEqual(records);
	});

	it.each([[null], [[]], [{ events: [] }]])('are empty in %j', (response) => {
		expect(listIn(200, response, 'event')?.records).toEqual([]);
	});

	it.each([[''], [7], [{ message: 'ok' }], [[1, 2]], [{ a: records }]])('are not found in %j', (response) => {
		expect(listIn(200, response, 'event')).toBeUndefined();
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
			expect(recordIn(response, 'event')).toEqual(record);
		},
	);

	it('keeps the fields next to it', () => {
		const response = { event: record, success: true, rtmpUrl: 'rtmp://a', title: 'other' };
		expect(recordIn(response, 'event')).toEqual({ ...record, rtmpUrl: 'rtmp://a' });
	});

	it.each([[{ hash: 'a', data: { viewers: 3 } }], [{ success: 'Event deleted' }], [1], [[record, record]]])(
		'is left as it is: %j',
		(response) => {
			expect(recordIn(response, 'event')).toEqual(response);
		},
	);

	it.each([
		[null, true],
		[[], true],
		[{ data: null }, true],
		['', true],
		[{ hash: 'a', content: null }, false],
		[{ message: 'Hello' }, false],
	])('does not exist according to %j: %s', (response, isMissing) => {
		expect(isNothing(response, 'event')).toBe(isMissing);
	});
});

describe('Fields of records', () => {
	const uuid = '6a2f41a3-c54c-4fce-8a01-4c1b9f0e2d3b';
	const folder = { uuid, id: '12', name: 'Webinars' };
	it.each<[object, Partial<Event>]>([
		[{ plan_secret: 's' }, { secret: 's' }],
		[{ plan: { secret: 's' } }, { secret: 's' }],
		[{ secret: '' }, { secret: undefined }],
		[{ event_id: '7' }, { id: 7 }],
		[{ id: 'a7' }, { id: undefined }],
		[{ name: 'x' }, { title: 'x' }],
		[{ date_scheduled: '2030-01-01' }, { dateScheduled: '2030-01-01' }],
		[{ id: 1, hash: 'a' }, { identity: 'a 1' }],
		[{ title: 'x' }, { identity: '{"title":"x"}' }],
		[{ status: 'on demand' }, { status: 'ON_DEMAND' }],
		[{ status: 'active', liveStatus: 'LIVE' }, { status: 'LIVE' }],
		[{ status: 'Paused' }, { status: 'PAUSED' }],
	])('An event %j has %j', (record, fields) => {
		expect(toEvent(record)).toMatchObject(fields);
	});

	it.each<[object, Partial<Video>]>([
		[{ videoHash: 'a' }, { hash: 'a' }],
		[
			{ event_hash: 'e', video_hash: 'a' },
			{ hash: 'a', identity: 'a' },
		],
		[{ video_name: 'x' }, { name: 'x' }],
		[{ created_at: '2030-01-01T00:00:00Z' }, { created: Date.UTC(2030, 0, 1) }],
	])('A video %j has %j', (record, fields) => {
		expect(toVideo(record)).toMatchObject(fields);
	});

	it.each([
		[{ folder_uuid: uuid.toUpperCase() }, true],
		[{ gallery: { name: 'Webinars' } }, true],
		[{ folder: 'Other' }, false],
		[{ folder: 12 }, true],
		[{ folder: 13 }, false],
		[{ folder: null }, false],
		[{ name: 'x' }, undefined],
	])('A video %j is in the folder: %s', (record, answer) => {
		expect(isIn(toVideo(record), folder)).toBe(answer);
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
