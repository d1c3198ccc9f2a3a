import { setTimeout as sleep } from 'node:timers/promises';

import type { IConnections, IDataObject, INode, INodeExecutionData } from 'n8n-workflow';

import { errorOf, type Execution } from '../n8n/execution';
import { chain, MANUAL_TRIGGER, manualTrigger, node, to, videoHosting, workflowOf } from '../n8n/workflow';
import { joinTestEnvironment, type TestEnvironment } from './testEnvironment';
import { digest } from './uploadScene';

const NODE = 'Video Hosting';
const LOOP = 'Loop';

let environment: TestEnvironment;

beforeAll(async () => {
	environment = await joinTestEnvironment();
}, 180_000);
afterAll(async () => {
	await environment?.remove();
});
beforeEach(() => {
	const { service } = environment;
	service.state.events.length = 0;
	service.state.uploads.length = 0;
	service.clearFaults();
});

/** Stores a workflow with these items as the output of its trigger; returns what runs it once. */
async function workflowOfItems(
	items: INodeExecutionData[],
	nodes: INode[],
	connections: IConnections,
): Promise<() => Promise<Execution>> {
	const { rest } = environment.n8n;
	const { id } = await rest.createWorkflow({
		...workflowOf('Retry', [manualTrigger(), ...nodes]),
		connections,
		pinData: { [MANUAL_TRIGGER]: items },
	});
	return async () => await rest.waitForExecution(await rest.runWorkflow(id, MANUAL_TRIGGER));
}

function measured(parameters: IDataObject, settings: Partial<INode>): INode {
	return { ...videoHosting(NODE, environment.credential, parameters), waitBetweenTries: 1, ...settings };
}

/** The items of one output of a node, over all its runs. */
function outputOfAllRuns({ data }: Execution, name = NODE, output = 0): INodeExecutionData[] {
	const runs = data.resultData.runData[name] ?? [];
	return runs.flatMap((run) => run.data?.main?.[output] ?? []);
}

describe('40 events with Retry On Fail', () => {
	const titles = [...Array(40).keys()].map((n) => `Lesson ${n}`);
	const failCreate = (skip: number) =>
		environment.service.injectFault({ on: 'eventInsert', kind: 'status', status: 500, skip });
	const created = () => environment.service.state.events.map(({ title }) => title);
	const pairedTitles = (items: INodeExecutionData[]) =>
		items.map(({ json, pairedItem }) => [json.title, pairedItem]);
	const allPaired = titles.map((title, item) => [title, { item }]);

	/** @param batchSize of a Loop Over Items around the node */
	async function creatingWorkflow(
		settings: Partial<INode>,
		batchSize?: number,
	): Promise<() => Promise<Execution>> {
		const dateScheduled = '2030-01-01T12:00:00Z';
		const create = measured(
			{ resource: 'event', operation: 'create', title: '={{ $json.title }}', dateScheduled },
			{ retryOnFail: true, ...settings },
		);
		const items = titles.map((title) => ({ json: { title } }));
		if (batchSize === undefined) return await workflowOfItems(items, [create], chain(MANUAL_TRIGGER, NODE));
		const loop = node(LOOP, 'n8n-nodes-base.splitInBatches', 3, { batchSize });
		return await workflowOfItems(items, [loop, create], {
			...chain(MANUAL_TRIGGER, LOOP),
			// The second output of Loop Over Items is the loop.
			[LOOP]: { main: [[], ...(to(NODE).main ?? [])] },
			...chain(NODE, LOOP),
		});
	}

	it('continues at the 21st item when that fails once', async () => {
		const run = await creatingWorkflow({});
		failCreate(20);
		const execution = await run();
		expect(errorOf(execution)).toBe('');
		expect(created()).toEqual(titles);
		expect(pairedTitles(outputOfAllRuns(execution))).toEqual(allPaired);
	}, 60_000);

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'sends again only the failed items when the first item failed (%s)',
		async (onError) => {
			const run = await creatingWorkflow({ onError });
			[0, 20].forEach(failCreate);
			const execution = await run();
			expect(created().sort()).toEqual([...titles].sort());
			expect(pairedTitles(outputOfAllRuns(execution))).toEqual(allPaired);
			expect(outputOfAllRuns(execution, NODE, 1)).toEqual([]);
		},
		60_000,
	);

	it('returns the item that failed in each try by the error output', async () => {
		const run = await creatingWorkflow({ onError: 'continueErrorOutput', maxTries: 2 });
		// The first item is sent first in the first try, and alone in the second.
		[0, 40].forEach(failCreate);
		const execution = await run();
		expect(created()).toEqual(titles.slice(1));
		expect(pairedTitles(outputOfAllRuns(execution))).toEqual(allPaired.slice(1));
		const failed = outputOfAllRuns(execution, NODE, 1);
		expect(failed.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual([
			[expect.stringContaining('Injected fault 500'), { item: 0 }],
		]);
	}, 60_000);

	it('creates each event once in a loop', async () => {
		const run = await creatingWorkflow({}, 5);
		[7, 13, 14, 30].forEach(failCreate);
		const execution = await run();
		expect(errorOf(execution)).toBe('');
		expect(created()).toEqual(titles);
		expect(pairedTitles(outputOfAllRuns(execution))).toEqual(
			titles.map((title, index) => [title, { item: index % 5 }]),
		);
	}, 60_000);

	it('keeps two executions of one workflow apart', async () => {
		const run = await creatingWorkflow({ maxTries: 5 });
		[10, 31, 50].forEach(failCreate);
		const executions = await Promise.all([run(), run()]);
		const outputs = executions.map((execution) => outputOfAllRuns(execution));
		for (const output of outputs) expect(pairedTitles(output)).toEqual(allPaired);
		const ids = outputs.flat().map(({ json }) => json.eventId);
		expect(ids.sort()).toEqual(environment.service.state.events.map(({ eventId }) => eventId).sort());
	}, 60_000);
});

describe('an event whose creation meets a fault', () => {
	const parameters = {
		...{ resource: 'event', operation: 'create', title: 'Keynote' },
		dateScheduled: '2030-01-01T12:00:00Z',
	};
	const run = async (settings: Partial<INode>) => {
		const create = measured(parameters, { retryOnFail: true, ...settings });
		return await (
			await workflowOfItems([{ json: {} }], [create], chain(MANUAL_TRIGGER, NODE))
		)();
	};
	const created = () => environment.service.state.events.map(({ title }) => title);

	it('is created once when the response is lost, with Execute Once as well', async () => {
		environment.service.injectFault({ on: 'eventInsert', kind: 'lostResponse' });
		expect(errorOf(await run({ executeOnce: true }))).toContain('closed the connection');
		expect(created()).toEqual(['Keynote']);
	}, 60_000);

	it('is an error when the response breaks off within its body', async () => {
		const { service } = environment;
		service.injectFault({ on: 'eventInsert', kind: 'trickle', ms: 50 });
		const ended = run({});
		await service.until(() => created().length > 0);
		await sleep(300);
		await service.goDown();
		await service.comeBack();
		expect(errorOf(await ended)).toContain('closed the connection within its response');
		expect(created()).toEqual(['Keynote']);
	}, 60_000);

	it('is created by the next try when signing in failed once', async () => {
		const { credential, n8n, service } = environment;
		const fresh = await n8n.rest.createCredential('videoHostingApi', 'Fresh', service.credential);
		service.injectFault({ on: 'authenticate', kind: 'status', status: 503 });
		const credentials = { videoHostingApi: { ...credential, id: fresh.id, name: fresh.name } };
		expect(errorOf(await run({ credentials }))).toBe('');
		expect(created()).toEqual(['Keynote']);
	}, 60_000);
});

describe('two emails with three attachments each', () => {
	const EMAILS = 'Emails';
	const fields = ['attachment_0', 'attachment_1', 'attachment_2'];
	const contentOf = (field: string) => Buffer.alloc(50_000, field);

	/** The request that creates an upload fails, with this number from 0. */
	const failCreate = (skip: number) =>
		environment.service.injectFault({
			on: 'uploadCreate',
			kind: 'status',
			status: 400,
			error: 'Broken',
			skip,
		});
	const arrived = () => environment.service.state.uploads.map(({ filename, sha256 }) => [filename, sha256]);
	const expected = (...sent: string[]) => sent.map((field) => [`${field}.mp4`, digest(contentOf(field))]);

	/** Uploads all attachments; behind both outputs are nodes that read the email which each item belongs to. */
	async function run(settings: Partial<INode>): Promise<Execution> {
		const binary = Object.fromEntries(
			fields.map((field) => [
				field,
				{ data: contentOf(field).toString('base64'), fileName: `${field}.mp4`, mimeType: 'video/mp4' },
			]),
		);
		const emails = ['First', 'Second'].map((subject) => ({ json: { subject }, binary }));
		const parameters = { resource: 'upload', operation: 'upload', binaryPropertyName: '*' };
		const pairedTo = (name: string) =>
			node(name, 'n8n-nodes-base.set', 3.4, {
				mode: 'raw',
				jsonOutput: `={{ { subject: $('${EMAILS}').item.json.subject, fileName: $json.fileName, error: $json.error } }}`,
				includeOtherFields: true,
				options: { stripBinary: false },
			});
		const all = [node(EMAILS, 'n8n-nodes-base.noOp', 1, {}), measured(parameters, settings)];
		const runAll = await workflowOfItems(emails, [...all, pairedTo('Done'), pairedTo('Failed')], {
			...chain(MANUAL_TRIGGER, EMAILS, NODE),
			[NODE]: { main: [...(to('Done').main ?? []), ...(to('Failed').main ?? [])] },
		});
		return await runAll();
	}

	const subjectsAndFiles = (items: INodeExecutionData[]) =>
		items.map(({ json: { subject, fileName } }) => [subject, fileName]);

	it('continues at the second attachment with Retry On Fail', async () => {
		failCreate(1);
		failCreate(4);
		const execution = await run({ retryOnFail: true, maxTries: 3 });
		expect(errorOf(execution)).toBe('');
		expect(arrived()).toEqual(expected(...fields, ...fields));
		expect(subjectsAndFiles(outputOfAllRuns(execution, 'Done'))).toEqual(
			['First', 'Second'].flatMap((subject) => fields.map((field) => [subject, `${field}.mp4`])),
		);
	}, 90_000);

	it('names the attachment that failed where the node stops', async () => {
		failCreate(4);
		expect(errorOf(await run({}))).toContain('Binary field "attachment_1": Broken');
		expect(arrived()).toEqual(expected(...fields, 'attachment_0'));
	}, 90_000);

	it('returns one item per attachment by both outputs, each paired to its email', async () => {
		failCreate(1);
		failCreate(5);
		const execution = await run({ onError: 'continueErrorOutput' });
		expect(subjectsAndFiles(outputOfAllRuns(execution, 'Done'))).toEqual([
			['First', 'attachment_0.mp4'],
			['First', 'attachment_2.mp4'],
			['Second', 'attachment_0.mp4'],
			['Second', 'attachment_1.mp4'],
		]);
		const failed = outputOfAllRuns(execution, 'Failed').map(({ json: { error, subject }, binary }) => {
			return [subject, error, Object.keys(binary ?? {})];
		});
		const message = (field: string) =>
			expect.objectContaining({ message: expect.stringContaining(`"${field}": Broken`) });
		expect(failed).toEqual([
			['First', message('attachment_1'), ['attachment_1']],
			['Second', message('attachment_2'), ['attachment_2']],
		]);
	}, 90_000);
});
