import type { INodeParameters } from 'n8n-workflow';

import { toTimeInWorkflow } from '../../nodes/VideoHosting/parameters/dates';
import { executeForJson } from '../execution/executeNode';
import type { OperationName } from '../fakeService';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';

serviceForEachTest();

const entered = (timezone: string) => ({ mode: undefined, isExpression: false, timezone });

it.each([
	['2026-12-24', 'Asia/Kolkata', '2026-12-23T18:30:00.000Z'],
	['2026-12-24 18:00:00', 'Europe/Berlin', '2026-12-24T17:00:00.000Z'],
	['2026-12-24T18:00', 'Asia/Kathmandu', '2026-12-24T12:15:00.000Z'],
	[' 2026-12-24t6:00:00.25 ', 'America/Sao_Paulo', '2026-12-24T09:00:00.250Z'],
	['2026-12-24T18:00:00z', 'Europe/Berlin', '2026-12-24T18:00:00.000Z'],
	['2026-12-24 18:00 -0330', 'Europe/Berlin', '2026-12-24T21:30:00.000Z'],
	['2026-12-24T01:00+14', 'Europe/Berlin', '2026-12-23T11:00:00.000Z'],
	// The clock of Berlin shows 02:30 twice, and the offset says which.
	['2026-10-25 02:30+01:00', 'Europe/Berlin', '2026-10-25T01:30:00.000Z'],
	// Midnight is skipped: the day begins at 01:00.
	['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
])('%j is read in %s as %s', (text, timezone, expected) => {
	expect(new Date(toTimeInWorkflow('Date', text, entered(timezone)) ?? NaN).toISOString()).toBe(expected);
});

it.each([
	['2026-10-25 02:30', 'exists twice in Europe/Berlin'],
	['2026-03-29 02:30', 'does not exist in Europe/Berlin'],
	['2026-02-30', 'is a date that does not exist'],
	['2026-12-24T25:00', 'is a date that does not exist'],
	...[
		'05/12/2026 18:00',
		'2026-12',
		'20261224',
		'24 December 2026',
		'2026-12-24T18',
		'2026-12-24T18:00+15:00',
		'now',
	].map((text) => [text, 'is not a date in a format that this node reads']),
])('%j is not read: it %s', (text, problem) => {
	expect(() => toTimeInWorkflow('Date', text, entered('Europe/Berlin'))).toThrow(problem);
});

const invalidDate = "={{ DateTime.fromISO('2026-02-30') }}";

it.each([
	['Scheduled After', { operation: 'getAll', filters: { scheduledAfter: invalidDate } }],
	['Scheduled Date', { operation: 'create', title: 'A', dateScheduled: invalidDate }],
])('%s says when its expression returned an invalid date', async (label, parameters) => {
	const run = executeForJson({ service, parameters: { resource: 'event', ...parameters } });
	const expected = { message: `${label} is an invalid date`, description: 'Check the expression.' };
	await expect(run).rejects.toMatchObject(expected);
});

const instant = '2026-12-24T18:00:00Z';

it.each<[string, OperationName, INodeParameters, object]>([
	[
		'Event → Create sends the local time of its zone',
		'eventInsert',
		{ operation: 'create', title: 'A', dateScheduled: instant, options: { timezone: 'America/Lima' } },
		{ body: { dateScheduled: '2026-12-24 13:00:00' } },
	],
	[
		'Event → Create sends the local time of the workflow, to the second',
		'eventInsert',
		{ operation: 'create', title: 'A', dateScheduled: `={{ DateTime.fromISO('${instant}') }}` },
		{ body: { dateScheduled: '2026-12-24 19:00:00' } },
	],
	[
		'Event → Create sends the local time of a number of milliseconds',
		'eventInsert',
		{ operation: 'create', title: 'A', dateScheduled: Date.parse(instant) },
		{ body: { dateScheduled: '2026-12-24 19:00:00' } },
	],
	[
		'Video → Get Many sends the dates of its filters',
		'videoList',
		{ resource: 'video', operation: 'getAll', filters: { initialDate: '2026-12-24', endDate: instant } },
		{ query: { initialDate: expect.stringMatching(/^2026-12-2[34]/) } },
	],
])('%s', async (_what, operation, parameters, request) => {
	await executeForJson({ service, parameters: { resource: 'event', ...parameters } });
	expect(service.requestsOf(operation)[0]).toMatchObject(request);
});

it('Event → Get Many applies the dates of its filters', async () => {
	service.seedEvents(
		['2026-12-24 18:59:00', '2026-12-24 19:00:00', '2026-12-24 23:59:59', '2026-12-25 00:00:00'].map(
			(dateScheduled) => ({ title: dateScheduled, dateScheduled }),
		),
	);
	const filters = { scheduledAfter: instant, scheduledBefore: '2026-12-25' };
	const parameters = { resource: 'event', operation: 'getAll', filters };
	const events = await executeForJson({ service, parameters });
	expect(events.map(({ title }) => title)).toEqual(['2026-12-24 19:00:00', '2026-12-24 23:59:59']);
});
