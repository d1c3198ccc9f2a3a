import { randomUUID } from 'node:crypto';

import type { INode, INodeExecutionData } from 'n8n-workflow';

import { node, UPLOAD, upload, webhook, workflowOf } from '../matrix/workflow';
import { errorOf, type Execution } from '../n8n/execution';
import { poll } from '../n8n/poll';
import { setUpTestEnvironment, type TestEnvironment } from './testEnvironment';
import { digest } from './uploadScene';

const fields = ['attachment_0', 'attachment_1', 'attachment_2'];
const contentOf = (field: string) => Buffer.alloc(50_000, field);

let environment: TestEnvironment;

beforeAll(async () => {
	environment = await setUpTestEnvironment();
}, 180_000);
afterAll(async () => {
	await environment?.remove();
});
beforeEach(() => {
	const { service } = environment;
	service.state.uploads.length = 0;
	service.clearFaults();
});

/** The request that creates an upload fails, with this number from 0. */
const failCreate = (skip: number) =>
	environment.service.injectFault({ on: 'uploadCreate', kind: 'status', status: 400, error: 'Broken', skip });
const arrived = () =>
	environment.service.state.uploads.map(({ filename, sha256 }) => [`${filename}`, sha256]);
const expected = (...sent: string[]) => sent.map((field) => [`${field}.mp4`, digest(contentOf(field))]);

/**
 * Two emails with three attachments each: Webhook → First, Second → Emails → Upload, whose outputs lead to nodes that read the
 * email which each item belongs to.
 */
async function run(settings: Partial<INode>): Promise<Execution> {
	const { n8n, credential } = environment;
	const path = randomUUID();
	const subjectOf = (name: string, subject: string) =>
		node(name, 'n8n-nodes-base.set', 3.4, {
			mode: 'raw',
			jsonOutput: `={{ { subject: ${subject}, fileName: $json.fileName, error: $json.error } }}`,
			includeOtherFields: true,
			options: { stripBinary: false },
		});
	const emails = node('Emails', 'n8n-nodes-base.merge', 3, { mode: 'append' });
	const uploading = { ...upload(credential, { binaryPropertyName: '*' }), waitBetweenTries: 1, ...settings };
	const subjects = ["'First'", "'Second'"].map((subject) => subjectOf(subject.slice(1, -1), subject));
	const paired = ['Done', 'Failed'].map((name) => subjectOf(name, "$('Emails').item.json.subject"));
	const to = (name: string, index = 0) => ({ node: name, type: 'main' as const, index });
	const { id } = await n8n.rest.createWorkflow({
		...workflowOf('Several files', [webhook(path), ...subjects, emails, uploading, ...paired]),
		connections: {
			Webhook: { main: [[to('First'), to('Second')]] },
			First: { main: [[to('Emails')]] },
			Second: { main: [[to('Emails', 1)]] },
			Emails: { main: [[to(UPLOAD)]] },
			[UPLOAD]: { main: [[to('Done')], [to('Failed')]] },
		},
	});
	await n8n.rest.activateWorkflow(id);
	const form = new FormData();
	for (const field of fields)
		form.append(field, new Blob([contentOf(field)], { type: 'video/mp4' }), `${field}.mp4`);
	await fetch(`${n8n.url}/webhook/${path}`, { method: 'POST', body: form });
	const started = await poll('the execution', 60_000, async () => (await n8n.rest.executions(id))[0]);
	return await n8n.rest.waitForExecution(started.id);
}

const outputOf = ({ data }: Execution, name: string): INodeExecutionData[] =>
	data.resultData.runData[name]?.at(-1)?.data?.main?.[0] ?? [];
/** n8n's webhook stores the files of a form in any order. */
const fieldsOf = (execution: Execution) => Object.keys(outputOf(execution, 'Webhook')[0]?.binary ?? {});
const subjectsAndFiles = (items: INodeExecutionData[]) =>
	items.map(({ json: { subject, fileName } }) => [subject, fileName]);

it('continues at the second of three attachments with Retry On Fail', async () => {
	failCreate(1);
	failCreate(4);
	const execution = await run({ retryOnFail: true, maxTries: 3 });
	expect(errorOf(execution)).toBe('');
	const stored = fieldsOf(execution);
	expect([...stored].sort()).toEqual(fields);
	expect(arrived()).toEqual(expected(...stored, ...stored));
	expect(subjectsAndFiles(outputOf(execution, 'Done'))).toEqual(
		['First', 'Second'].flatMap((subject) => stored.map((field) => [subject, `${field}.mp4`])),
	);
}, 90_000);

it('names the attachment that failed where the node stops', async () => {
	failCreate(4);
	const execution = await run({});
	const stored = fieldsOf(execution);
	expect(errorOf(execution)).toContain(`Binary field "${stored[1]}": Broken`);
	expect(arrived()).toEqual(expected(...stored, ...stored.slice(0, 1)));
}, 90_000);

it('returns one item per attachment by both outputs, each paired to its email', async () => {
	failCreate(1);
	failCreate(5);
	const execution = await run({ onError: 'continueErrorOutput' });
	const [first, second, third] = fieldsOf(execution);
	expect(subjectsAndFiles(outputOf(execution, 'Done'))).toEqual([
		['First', `${first}.mp4`],
		['First', `${third}.mp4`],
		['Second', `${first}.mp4`],
		['Second', `${second}.mp4`],
	]);
	const failed = outputOf(execution, 'Failed');
	expect(
		failed.map(({ json: { error, subject }, binary }) => [subject, error, Object.keys(binary ?? {})]),
	).toEqual(
		[
			['First', second],
			['Second', third],
		].map(([subject, field]) => [
			subject,
			expect.objectContaining({ message: expect.stringContaining(`"${field}": Broken`) }),
			[field],
		]),
	);
}, 90_000);
