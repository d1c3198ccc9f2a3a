import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import type { INodeParameters } from 'n8n-workflow';

import { executeForJson } from '../execution/executeNode';
import type { OperationName, RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));

const PROCESS_ZONES = ['UTC', 'America/Sao_Paulo', 'Pacific/Auckland'];

/** What a text means in a zone: an instant, or the reason why it is rejected. */
const TEXTS: Array<[text: string, timeZone: string, expected: string]> = [
	['2026-12-24', 'Asia/Kolkata', '2026-12-23T18:30:00.000Z'],
	['2026-12-24 18:00:00', 'Europe/Berlin', '2026-12-24T17:00:00.000Z'],
	['2026-12-24T18:00', 'Asia/Kathmandu', '2026-12-24T12:15:00.000Z'],
	[' 2026-12-24 6:00 ', 'America/Sao_Paulo', '2026-12-24T09:00:00.000Z'],
	['2026-12-24t18:00:00.25', 'UTC', '2026-12-24T18:00:00.250Z'],
	['2026-12-24T18:00:00Z', 'Europe/Berlin', '2026-12-24T18:00:00.000Z'],
	['2026-12-24 18:00 -0330', 'Europe/Berlin', '2026-12-24T21:30:00.000Z'],
	['2026-12-24T01:00+14', 'Europe/Berlin', '2026-12-23T11:00:00.000Z'],
	// The clock of Berlin shows 02:30 twice, and the offset says which.
	['2026-10-25 02:30+01:00', 'Europe/Berlin', '2026-10-25T01:30:00.000Z'],
	['2026-10-25 02:30', 'Europe/Berlin', 'exists twice in Europe/Berlin'],
	['2026-03-29 02:30', 'Europe/Berlin', 'does not exist in Europe/Berlin'],
	// Midnight is skipped: the day begins at 01:00.
	['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
	['2026-02-30', 'UTC', 'is a date that does not exist'],
	['2026-02-30 10:00', 'UTC', 'is a date that does not exist'],
	['2026-12-24T25:00', 'UTC', 'is a date that does not exist'],
	...[
		...['05/12/2026 18:00', '24.12.2026', '2026-12', '2026-W12-3', '2026-182', '20261224', '1782898200000'],
		...['20261224T180000Z', 'Thu, 24 Dec 2026 18:00:00 GMT', '24 December 2026', '2026-12-24T18', 'now'],
		...['2026-12-24T18:00 Europe/Berlin', '+002026-12-24', '0000-05-01'],
	].map((text): [string, string, string] => [text, 'UTC', 'is not a date in a format that this node reads']),
];

it.each(PROCESS_ZONES)(
	'Each text is the same moment, or the same error, in a process in %s',
	(TZ) => {
		// A process of its own: Jest's process.env.TZ does not reach the time zone of the process.
		const { stdout, stderr } = spawnSync(
			process.execPath,
			['--import', 'tsx', join(__dirname, 'parseDates.ts')],
			{ input: JSON.stringify(TEXTS), env: { ...process.env, TZ }, encoding: 'utf8' },
		);
		expect(stderr).toBe('');
		const { offset, results } = JSON.parse(stdout) as { offset: number; results: string[] };
		// Otherwise nothing is tested.
		expect(offset === 0).toBe(TZ === 'UTC');
		expect(results).toEqual(TEXTS.map(([, , expected]) => expect.stringContaining(expected)));
	},
	60_000,
);

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
