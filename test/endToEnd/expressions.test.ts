import type { IDataObject, INode } from 'n8n-workflow';

import { errorOf, outputOf } from '../n8n/execution';
import { manualTrigger, videoHosting, workflowOf } from '../n8n/workflow';
import { joinTestEnvironment, type TestEnvironment } from './testEnvironment';

const ZONE = 'America/Sao_Paulo';

let environment: TestEnvironment;

beforeAll(async () => {
	environment = await joinTestEnvironment();
}, 180_000);
afterAll(async () => {
	await environment?.remove();
});
beforeEach(() => {
	environment.service.requests.length = 0;
});

/** Runs one Video Hosting node after the other, each with its own parameters, and returns what each put out. */
async function runNodes(parameters: IDataObject[]): Promise<unknown[]> {
	const { n8n, credential } = environment;
	const nodes = parameters.map((own, index): INode => ({
		...videoHosting(`Node ${index}`, credential, own),
		onError: 'continueRegularOutput',
	}));
	const settings = { timezone: ZONE };
	const execution = await n8n.rest.runToEnd(workflowOf('Expressions', [manualTrigger(), ...nodes], settings));
	expect(errorOf(execution)).toBe('');
	return nodes.map(({ name }) => outputOf(execution, name)[0]?.json);
}

it('interprets dates in the time zone of the workflow, not in that of the process', async () => {
	const create = { resource: 'event', operation: 'create', title: 'All-hands' };
	const dates = [
		'2026-12-24 6:00',
		"={{ DateTime.fromISO('2026-12-24T18:00:00') }}",
		"={{ new Date('2026-12-24T18:00:00Z') }}",
		'05/12/2026 18:00',
	];
	const output = await runNodes(dates.map((dateScheduled) => ({ ...create, dateScheduled })));

	expect(environment.service.requestsOf('eventInsert').map(({ body }) => body)).toMatchObject([
		{ dateScheduled: '2026-12-24 06:00:00' },
		{ dateScheduled: '2026-12-24 18:00:00' },
		{ dateScheduled: '2026-12-24 15:00:00' },
	]);
	expect(output.at(-1)).toEqual({
		error: expect.stringMatching(
			/^Scheduled Date "05\/12\/2026 18:00" is not a date in a format that this node reads\. Enter one such as /,
		),
	});
}, 120_000);

it('rejects values of an unexpected type before any request', async () => {
	const folder = { __rl: true, mode: 'uuid', value: "={{ ['6a2f41a3-c54c-4fce-8a01-4c1b9f0e2d3b'] }}" };
	const output = await runNodes([
		{ resource: 'event', operation: 'getAll', options: { planId: "={{ ['A'] }}" } },
		{ resource: 'event', operation: 'getAll', filters: { status: '={{ [null] }}' } },
		{ resource: 'upload', operation: 'create', fileName: 'film.mp4', size: 15, folder },
		{ resource: 'upload', operation: 'create', fileName: 'film.mp4', size: '={{ null }}' },
	]);

	expect(output.map((json) => JSON.stringify(json))).toEqual([
		expect.stringContaining('Plan ID is a list, but must be text or a number'),
		expect.stringContaining('Status '),
		expect.stringContaining('Folder is a list, but must be text or a number'),
		expect.stringContaining('Size resolves to nothing'),
	]);
	expect(environment.service.requests).toEqual([]);
}, 120_000);
