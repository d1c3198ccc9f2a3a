import { serviceTime } from '../../nodes/VideoHosting/service/serviceDate';
import {
	eventHashOf,
	eventIdOf,
	identityOf,
	planSecretOf,
} from '../../nodes/VideoHosting/service/recordFields';
import { extractList, meansEmptyList, extractRecord } from '../../nodes/VideoHosting/service/responseParsing';
import { extractAccessToken } from '../../nodes/VideoHosting/transport/signIn';

describe('The token in the response to authenticate', () => {
	it.each([
		['  Bearer abc ', 'abc'],
		[{ Access_Token: 'abc' }, 'abc'],
		[{ token: 'less explicit', accessToken: 'abc' }, 'abc'],
		[{ token: { token: 'abc' } }, 'abc'],
		[{ a: { b: { c: { d: [{ token: 'abc' }] } } } }, 'abc'],
	])('%j', (response, token) => {
		expect(extractAccessToken({ body: response, headers: {} })).toBe(token);
	});

	it.each([
		[''],
		['Welcome back'],
		['<!doctype html><html></html>'],
		[null],
		[42],
		[[]],
		[{}],
		[{ refresh_token: 'abc' }],
		[{ token: '' }],
		[{ token: 'two words' }],
		[{ message: 'ok', user: { name: 'token' } }],
		[{ host: 'api.example.com', version: '1.2.3' }],
	])('does not exist in %j', (response) => {
		expect(extractAccessToken({ body: response, headers: {} })).toBeUndefined();
	});
});

describe('The records of a list', () => {
	const records = [{ hash: 'a' }, { hash: 'b' }];
	it.each([
		[{ EVENTS: records, total: 2 }],
		[{ data: records, links: [1, 2] }],
		[{ response: { events: records } }],
		[{ whatever: records, page: 1 }],
		[[records, 2]],
	])('%j', (response) => {
		expect(extractList(response, 'events')).toEqual(records);
	});

	it.each([[null], [[]], [{ events: [] }], [{ data: null }], [[[], 0]]])('are empty in %j', (response) => {
		expect(extractList(response, 'events')).toEqual([]);
	});

	it.each([[''], ['<html>'], [7], [{}], [{ message: 'ok' }], [[1, 2]], [{ a: records, b: records }]])(
		'are not found in %j',
		(response) => {
			expect(extractList(response, 'events')).toBeUndefined();
		},
	);

	it.each([
		['No events found', 'events', true],
		['Event not found', 'events', true],
		['There are no galleries yet', 'folders', true],
		['Events could not be found', 'events', true],
		['Could not load events', 'events', false],
		['Events are temporarily not available', 'events', false],
		['Failed to list events, no connection', 'events', false],
		['You are not allowed to read events', 'events', false],
		['Plan not found', 'events', false],
		['Not Found', 'events', false],
		['Cannot GET /v1/events/searchAll', 'events', false],
		['Route GET:/v1/folders not found', 'folders', false],
	])('404 "%s" for %s means an empty list: %s', (words, resource, isEmpty) => {
		expect(meansEmptyList(words, resource)).toBe(isEmpty);
	});
});

describe('One record', () => {
	const record = { hash: 'a', title: 'x' };
	it.each([[{ events: [record] }], [{ data: { event: record }, success: true }]])('of %j', (response) => {
		expect(extractRecord(response, 'event')).toEqual(record);
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
});

describe('Fields of records', () => {
	it.each([
		[{ secret: 's' }, 's'],
		[{ plan_secret: 's' }, 's'],
		[{ Plan: { secret: 's' } }, 's'],
		[{ live: { plan: { secret: 's' } } }, 's'],
		[{ secret: '' }, undefined],
		[{}, undefined],
	])('plan secret of %j', (event, secret) => {
		expect(planSecretOf(event)).toBe(secret);
	});

	it.each([
		[{ eventId: 7 }, 7],
		[{ event_id: '7' }, 7],
		[{ id: 7 }, 7],
		[{ id: 'a7' }, undefined],
		[{ id: 0 }, undefined],
	])('number of %j', (event, id) => {
		expect(eventIdOf(event)).toBe(id);
	});

	it('hash and identity', () => {
		expect(eventHashOf({ event_hash: 'a' })).toBe('a');
		expect(identityOf({ id: 1, hash: 'a' })).toBe('a');
		expect(identityOf({ title: 'x' })).toBe('{"title":"x"}');
	});
});

describe('A date of the service', () => {
	it.each([
		['Wed, 01 May 2030 18:00:00 GMT', Date.UTC(2030, 4, 1, 18)],
		['Wed, 01 May 2030 18:00:00 +0200', Date.UTC(2030, 4, 1, 16)],
		['Wed May 01 2030 18:00:00 GMT+0200 (CEST)', Date.UTC(2030, 4, 1, 16)],
		['1782898200', Date.UTC(2026, 6, 1, 9, 30)],
		['1782898200000', Date.UTC(2026, 6, 1, 9, 30)],
		['2026-07-01 09:30:00', Date.UTC(2026, 6, 1, 9, 30)],
		['01/07/2026', undefined],
		// No zone: a process reads them in its own.
		['01-May-2026', undefined],
		['01-May-2026 18:00', undefined],
		['May 1, 2026 18:00:00', undefined],
	])('%s is read where it means one moment', (text, time) => {
		expect(serviceTime(text, 'UTC')).toBe(time);
	});
});
