import type { IDataObject } from 'n8n-workflow';

import { eventStatusOf } from '../../nodes/VideoHosting/service/eventStatuses';
import {
	createdDateOf,
	dateScheduledOf,
	eventHashOf,
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

/** Every structure of an undocumented response that is accepted; all other tests use the one that the fake service has by default. */
const record = { hash: 'a', title: 'x' };

describe('The records of a list', () => {
	const records = [{ hash: 'a' }, { hash: 'b' }];
	it.each([
		[records],
		[{ EVENTS: records, total: 2 }],
		[{ data: records, links: [1, 2] }],
		[{ data: { items: records, total: 2 } }],
		[{ data: { events: records }, success: true }],
		[{ content: records, totalPages: 1 }],
	])('%j', (response) => {
		expect(extractList(response, 'events')).toEqual(records);
	});

	it.each([[null], [[]], [{ events: [] }], [{ data: null }]])('are empty in %j', (response) => {
		expect(extractList(response, 'events')).toEqual([]);
	});

	it.each([[''], ['<html>'], [7], [{}], [{ message: 'ok' }], [[1, 2]], [{ a: records }]])(
		'are not found in %j',
		(response) => {
			expect(extractList(response, 'events')).toBeUndefined();
		},
	);

	it.each([
		['No events found.', 'events', true],
		['There are no galleries yet', 'folders', true],
		['Plan not found', 'events', false],
		['Not Found', 'events', false],
	])('404 "%s" for %s means an empty list: %s', (words, resource, isEmpty) => {
		expect(meansEmptyList(words, resource)).toBe(isEmpty);
	});
});

describe('One record', () => {
	it.each([[record], [[record]], [{ events: [record] }], [{ data: { event: record }, success: true }]])(
		'of %j',
		(response) => {
			expect(extractRecord(response, 'event')).toEqual(record);
		},
	);

	it('keeps the fields next to it without those of the envelope, and its own field of the same name', () => {
		const response = { event: record, success: true, message: 'ok', rtmpUrl: 'rtmp://a', title: 'other' };
		expect(extractRecord(response, 'event')).toEqual({ ...record, rtmpUrl: 'rtmp://a' });
	});

	it.each([
		[{ hash: 'a', data: { viewers: 3 } }],
		[{ event_id: 7, content: { type: 'talk' } }],
		[{ success: 'Event deleted' }],
		[1],
		[''],
		[[record, record]],
	])('is left as it is: %j', (response) => {
		expect(extractRecord(response, 'event')).toEqual(response);
	});

	it.each([
		[null, true],
		[[], true],
		[{}, true],
		[{ data: null }, true],
		[{ event: [], success: true }, true],
		['', false],
		[record, false],
		[{ hash: 'a', content: null }, false],
		[{ message: 'Hello' }, false],
	])('does not exist according to %j: %s', (response, isMissing) => {
		expect(containsNoRecord(response, 'event')).toBe(isMissing);
	});
});

describe('Fields of records', () => {
	const text = (value: string | number | boolean | undefined) =>
		value === undefined ? value : String(value);
	const uuid = '6a2f41a3-c54c-4fce-8a01-4c1b9f0e2d3b';
	const isInIt = (video: IDataObject) => isInFolder(video, { uuid, name: 'Webinars' });
	it.each<[(event: IDataObject) => string | number | boolean | undefined, IDataObject, string | undefined]>([
		[planSecretOf, { secret: 's' }, 's'],
		[planSecretOf, { plan_secret: 's' }, 's'],
		[planSecretOf, { plan: { secret: 's' } }, 's'],
		[planSecretOf, { secret: '' }, undefined],
		[eventIdOf, { event_id: '7' }, '7'],
		[eventIdOf, { id: 7 }, '7'],
		[eventIdOf, { id: 'a7' }, undefined],
		[eventHashOf, { event_hash: 'a' }, 'a'],
		[eventTitleOf, { name: 'x' }, 'x'],
		[dateScheduledOf, { date_scheduled: '2030-01-01' }, '2030-01-01'],
		[videoHashOf, { videoHash: 'a' }, 'a'],
		[videoNameOf, { video_name: 'x' }, 'x'],
		[createdDateOf, { created_at: '2030-01-01' }, '2030-01-01'],
		[identityOf, { id: 1, hash: 'a' }, 'a'],
		[identityOf, { title: 'x' }, '{"title":"x"}'],
		[isInIt, { folder_uuid: uuid.toUpperCase() }, 'true'],
		[isInIt, { gallery: { name: 'Webinars' } }, 'true'],
		[isInIt, { folder: 'Other' }, 'false'],
		[isInIt, { folder: null }, 'false'],
		[isInIt, { name: 'x' }, undefined],
		[eventStatusOf, { status: 'on demand' }, 'ON_DEMAND'],
		[eventStatusOf, { status: 'active', liveStatus: 'LIVE' }, 'LIVE'],
		[eventStatusOf, { event_status: 'waitingLive', previousStatus: 'LIVE' }, 'WAITING_LIVE'],
		[eventStatusOf, { status: 'Paused' }, 'PAUSED'],
		[eventStatusOf, { title: 'LIVE' }, undefined],
	])('%p of %j is %s', (fieldOf, given, value) => {
		expect(text(fieldOf(given))).toBe(value);
	});

	it.each([
		['1782898200', Date.UTC(2026, 6, 1, 9, 30)],
		['1782898200000', Date.UTC(2026, 6, 1, 9, 30)],
		['2026-07-01 09:30:00', Date.UTC(2026, 6, 1, 9, 30)],
		['2026-07-01T11:30:00.000+02:00', Date.UTC(2026, 6, 1, 9, 30)],
		['01/07/2026', undefined],
		['soon', undefined],
	])('The date %s is read where it means one moment', (written, time) => {
		expect(serviceTime(written, 'UTC')).toBe(time);
	});
});
