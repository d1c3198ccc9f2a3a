import type { IDataObject, INode } from 'n8n-workflow';

import { errorOf, outputOf } from '../n8n/execution';
import { poll } from '../n8n/poll';
import { manualTrigger, TRIGGER, videoHosting, videoHostingTrigger, workflowOf } from '../n8n/workflow';
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
		'2026-12-24T18:00:00Z',
		"={{ DateTime.fromISO('2026-12-24T18:00:00') }}",
		"={{ DateTime.fromISO('2026-12-24T18:00:00', { zone: 'Asia/Tokyo' }) }}",
		"={{ new Date('2026-12-24T18:00:00Z') }}",
		'={{ 1798135200000 }}',
		'05/12/2026 18:00',
	];
	const output = await runNodes(dates.map((dateScheduled) => ({ ...create, dateScheduled })));

	expect(environment.service.requestsOf('eventInsert').map(({ body }) => body)).toMatchObject([
		{ dateScheduled: '2026-12-24 06:00:00' },
		{ dateScheduled: '2026-12-24 15:00:00' },
		{ dateScheduled: '2026-12-24 18:00:00' },
		{ dateScheduled: '2026-12-24 06:00:00' },
		{ dateScheduled: '2026-12-24 15:00:00' },
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
		{ resource: 'event', operation: 'getAll', options: { planId: '={{ true }}' } },
		{ resource: 'event', operation: 'getAll', filters: { status: '={{ [null] }}' } },
		{ resource: 'video', operation: 'getAll', filters: { name: "={{ ['clip1'] }}" } },
		{ resource: 'upload', operation: 'create', fileName: 'film.mp4', size: 15, folder },
		{ resource: 'upload', operation: 'create', fileName: 'film.mp4', size: '={{ null }}' },
	]);

	expect(output.map((json) => JSON.stringify(json))).toEqual([
		expect.stringContaining('Plan ID is a list, but must be text or a number'),
		expect.stringContaining('Plan ID is true, but must be text or a number'),
		expect.stringContaining('Status '),
		expect.stringContaining('Name is a list, but must be text or a number'),
		expect.stringContaining('Folder is a list, but must be text or a number'),
		expect.stringContaining('Size resolves to nothing'),
	]);
	expect(environment.service.requests).toEqual([]);
}, 120_000);

it('reads event pages that count from 0: list, start, picker and trigger', async () => {
	const { n8n, service, credential } = environment;
	service.settings.firstEventPage = 0;
	service.state.events.length = 0;
	const [first, , third] = service.seedEvents(3);
	const event = { __rl: true, mode: 'hash', value: first?.hash ?? '' };
	// Start reads the list for the plan secret.
	const [listed, started] = await runNodes([
		{ resource: 'event', operation: 'getAll', returnAll: true },
		{ resource: 'event', operation: 'start', event },
	]);
	expect(listed).toMatchObject({ hash: first?.hash });
	expect(started).not.toHaveProperty('error');
	expect(first?.status).toBe('LIVE');

	const { results } = await n8n.rest.pickerPage({
		nodeTypeAndVersion: { name: 'n8n-nodes-video-hosting.videoHosting', version: 1 },
		methodName: 'searchEvents',
		path: 'parameters.event',
		currentNodeParameters: { resource: 'event', operation: 'get' },
		credentials: { videoHostingApi: credential },
	});
	expect(new Set(results.map(({ value }) => value))).toEqual(
		new Set(service.state.events.map(({ hash }) => hash)),
	);

	const watch = workflowOf('Watch pages that count from 0', [videoHostingTrigger(credential)]);
	const { id } = await n8n.rest.createWorkflow(watch);
	service.requests.length = 0;
	await n8n.rest.activateWorkflow(id);
	// The baseline reads the list twice; it is over when a poll reads it a third time.
	const readings = () => service.requestsOf('eventSearchAll').filter(({ query }) => query.actualPage === '0');
	await service.until(() => readings().length >= 3);
	service.setEventStatus(third?.hash ?? '', 'ON_DEMAND');
	const executionId = await poll(
		'n8n to report the change',
		60_000,
		async () => (await n8n.rest.executions(id)).find(({ status }) => status === 'success')?.id,
	);
	const output = outputOf(await n8n.rest.waitForExecution(executionId), TRIGGER);
	expect(output).toMatchObject([{ json: { hash: third?.hash, status: 'ON_DEMAND' } }]);
	await n8n.rest.deactivateWorkflow(id);
	service.settings.firstEventPage = 1;
}, 180_000);
