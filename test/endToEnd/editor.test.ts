import type { INode } from 'n8n-workflow';
import type { Browser } from 'playwright-core';

import { launchBrowser } from '../editor/browser';
import { Editor } from '../editor/editor';
import { writeTestFile } from '../n8n/files';
import type { RunningN8n } from '../n8n/instance';
import type { StoredCredential } from '../n8n/rest';
import { manualTrigger, noOperation, readFiles, upload, videoHosting, workflowOf } from '../n8n/workflow';
import type { RunningService } from '../fakeService';
import { joinTestEnvironment, type TestEnvironment } from './testEnvironment';

let environment: TestEnvironment;
let service: RunningService;
let n8n: RunningN8n;
let browser: Browser;
let credential: StoredCredential;
let editor: Editor;

beforeAll(async () => {
	browser = await launchBrowser((line) => process.stderr.write(`${line}\n`));
	environment = await joinTestEnvironment();
	({ service, n8n, credential } = environment);
	editor = await Editor.open(browser, n8n);
}, 600_000);

afterAll(async () => {
	await browser?.close();
	await environment?.remove();
});

it('finds the node under what a person would look for', async () => {
	await openWorkflowOf();
	const node = editor.foundNode('Video Hosting');

	for (const words of ['live stream', 'upload video', 'recording', 'gallery']) {
		await editor.searchNodes(words);
		await node.waitFor();
		await editor.searchNodes('');
		await node.waitFor({ state: 'hidden' });
	}
	await editor.searchNodes('video hosting');
	await expect(editor.descriptionOfFound('Video Hosting')).resolves.toMatch(
		/^Starts the workflow when a live event/,
	);
}, 120_000);

it('lets a person add the node, pick an event from the list, run it and see the event', async () => {
	const [, picked] = service.seedEvents([{ title: 'Rehearsal' }, { title: 'Town hall' }]);
	await openWorkflowOf();

	await editor.searchNodes('video hosting');
	await editor.openActions('Video Hosting');
	await editor.chooseAction('Get event');
	// In the n8n that the tests share, other services have credentials, too.
	await editor.chooseCredential(credential.id);
	const entries = await editor.openList('event');
	expect(await entries.allInnerTexts()).toEqual([
		expect.stringMatching(/^Town hall \(\d{4}-\d\d-\d\d \d\d:\d\d\)$/),
		expect.stringMatching(/^Rehearsal \(\d{4}-\d\d-\d\d \d\d:\d\d\)$/),
	]);
	await entries.getByText('Town hall').click();
	await editor.executeStep();

	await editor.outputPanel.getByText('1 item', { exact: true }).waitFor();
	await editor.outputPanel
		.getByText(picked?.hash ?? '')
		.first()
		.waitFor();
	expect(service.requestsOf('eventSearchByHash').map(({ query }) => query)).toEqual([
		{ planId: service.credential.planId, hash: picked?.hash },
	]);
}, 180_000);

it('offers the next node the fields of an operation before it has run', async () => {
	const events = videoHosting('Get Live Events', credential, { resource: 'event', operation: 'getAll' });
	await openWorkflowOf(events, noOperation('Next'));

	await editor.openNode('Next');
	const fields = editor.inputPanel.getByTestId('run-data-schema-item');
	await fields.first().waitFor();

	expect((await fields.allInnerTexts()).map((text) => text.trim())).toEqual(
		expect.arrayContaining(['eventId', 'hash', 'title', 'dateScheduled', 'status']),
	);
}, 120_000);

it('shows its own icon, and only the fields that apply to what is chosen', async () => {
	await openWorkflowOf(upload(credential, { source: 'url' }));
	await expectIcon('videoHosting.svg');

	await editor.openNode('Upload');
	await editor.parameter('url').waitFor();

	expect(await editor.parameter('binaryPropertyName').count()).toBe(0);
	expect(await editor.parameter('uploadId').count()).toBe(0);
	expect(await editor.parameter('title').count()).toBe(0);
}, 120_000);

it('shows at the date in which time zone it is interpreted, and a valid zone once the option is added', async () => {
	const parameters = { resource: 'event', operation: 'create', title: 'Town hall' };
	await openWorkflowOf(videoHosting('Schedule', credential, parameters));

	await editor.openNode('Schedule');
	await editor.page
		.getByText('Interpreted in the time zone of the workflow settings; add the option Time Zone')
		.waitFor();
	await editor.addOption('Time Zone', 'timezone');

	const timezone = editor.parameter('timezone');
	const shown = await timezone.getByRole('combobox').evaluate(async (input: { value: string }) => {
		// The list loads from n8n.
		while (/^(Loading.*)?$/.test(input.value)) await new Promise((resolve) => setTimeout(resolve, 50));
		return input.value;
	});
	expect(shown).toBe('Workflow Time Zone');
	expect(await editor.parameter('dateScheduled').getByTestId('parameter-issues').count()).toBe(1);
	expect(await timezone.getByTestId('parameter-issues').count()).toBe(0);
	await editor.addOption('Plan ID', 'planId');
	expect(await editor.parameter('planId').locator('input').getAttribute('placeholder')).toBe(
		'e.g. plan-1001',
	);
}, 120_000);

it('shows the output of an upload that was interrupted and resumed', async () => {
	const { path } = writeTestFile(n8n.filesFolder, 'keynote.avi', 6_000_000);
	service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 2_000_000 });
	await openWorkflowOf(readFiles(path), upload(credential));

	await editor.openNode('Upload');
	await editor.executeStep();

	await editor.outputPanel.getByText('keynote.avi').first().waitFor();
	expect(service.state.uploads[0]).toMatchObject({ filename: 'keynote.avi', complete: true });
}, 180_000);

/** Opens a workflow of a manual trigger and the given nodes, one after the other. */
async function openWorkflowOf(...nodes: INode[]): Promise<void> {
	const workflow = workflowOf('Seen in the editor', [manualTrigger(), ...nodes]);
	await editor.openWorkflow((await n8n.rest.createWorkflow(workflow)).id);
}

async function expectIcon(file: string): Promise<void> {
	const icon = editor.node('Upload').locator('img');
	await icon.waitFor();
	expect((await icon.getAttribute('src'))?.split('/').at(-1)).toBe(file);
	const width = await icon.evaluate(async (image: { decode(): Promise<void>; naturalWidth: number }) => {
		await image.decode();
		return image.naturalWidth;
	});
	expect(width).toBeGreaterThan(0);
}
