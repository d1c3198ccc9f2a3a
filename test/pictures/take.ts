import { statSync } from 'node:fs';
import { join } from 'node:path';

import type { BrowserContextOptions, Page } from 'playwright-core';

import { Editor, launchBrowser } from '../editor/editor';
import { startService } from '../fakeService';
import { writeTestFile } from '../n8n/files';
import { startN8n, type RunningN8n } from '../n8n/instance';
import { packPackage } from '../n8n/package';
import { fail, SetupError, step } from '../n8n/progress';
import type { StoredCredential } from '../n8n/rest';
import { importTemplate, uploadAndSchedule } from '../n8n/templates';
import { videoHosting } from '../n8n/workflow';

/** Takes the pictures of the docs from the editor of a real n8n: `npm run pictures`, or `npm run pictures -- picker` for one. */

const folder = join(__dirname, '..', '..', 'docs', 'pictures');
/** The README is read on the web, also on slow lines. */
const largestBytes = 200_000;

/** What the pictures are taken of, in an editor of its own. */
interface Studio {
	editor: Editor;
	n8n: RunningN8n;
	credential: StoredCredential;
}

/** Large enough for n8n to show a template in its own size. */
const canvas = { viewport: { width: 2600, height: 1200 } };

type Picture = [takeIt: (studio: Studio, name: string) => Promise<void>, window?: BrowserContextOptions];

const pictures: Record<string, Picture> = {
	'node-panel': [takeNodePanel, { viewport: { width: 1280, height: 1600 } }],
	picker: [takePicker],
	// Before the others that run the template: the next run skips the upload.
	'upload-output': [takeUploadOutput, { viewport: { width: 1440, height: 800 } }],
	workflow: [takeWorkflow, canvas],
	// n8n's editor follows the theme of the system by default.
	'workflow-dark': [takeWorkflow, { colorScheme: 'dark', ...canvas }],
	trigger: [takeTrigger, { viewport: { width: 1440, height: 760 } }],
	'example-calendar': [takeExample, canvas],
};

async function main(): Promise<void> {
	const undo: Array<() => Promise<void> | void> = [];
	try {
		const browser = await launchBrowser();
		undo.push(() => browser.close());
		await packPackage();
		const service = await startService();
		undo.push(() => service.close());
		service.seedEvents([
			{ title: 'Quarterly all-hands', dateScheduled: '2030-03-28 16:00:00' },
			{ title: 'Product launch', dateScheduled: '2030-04-02 18:30:00', status: 'LIVE' },
			{ title: 'Town hall', dateScheduled: '2030-04-11 09:00:00' },
			{ title: 'Summer festival', dateScheduled: '2030-07-01 12:00:00' },
		]);
		service.seedFolders([{ name: 'Meetings' }, { name: 'Recordings' }, { name: 'Trailers' }]);
		const n8n = await step('Starting n8n', async () => await startN8n());
		undo.push(() => n8n.remove());
		writeTestFile(n8n.filesFolder, 'my-video.avi', 6_000_000);
		const name = 'Video Hosting account';
		const credential = await n8n.rest.createCredential('videoHostingApi', name, service.credential);

		const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(pictures);
		for (const picture of wanted) {
			const [takeIt, window] = pictures[picture] ?? [];
			if (!takeIt)
				throw new SetupError(`There is no "${picture}", only ${Object.keys(pictures).join(', ')}.`);
			const editor = await Editor.open(browser, n8n, window);
			await takeIt({ editor, n8n, credential }, picture);
			await editor.close();
		}
	} finally {
		for (const step of undo.reverse()) await step();
	}
}

async function takeNodePanel({ editor }: Studio, name: string): Promise<void> {
	await editor.openWorkflowOf();
	await editor.searchNodes('video hosting');
	await editor.openActions('Video Hosting');
	await take(editor.page, name, editor.page.getByTestId('node-creator'));
}

async function takePicker({ editor, credential }: Studio, name: string): Promise<void> {
	const parameters = { resource: 'event', operation: 'start' };
	await editor.openWorkflowOf(videoHosting('Start Event', credential, parameters));
	await editor.openNode('Start Event');
	await editor.openList('event');
	// The dropdown requests the next page at once and shows placeholders meanwhile.
	await editor.page.waitForLoadState('networkidle');
	await editor.page.locator('.el-skeleton').first().waitFor({ state: 'hidden' });
	await take(editor.page, name);
}

/** The first template after a run. */
async function takeWorkflow(studio: Studio, name: string): Promise<void> {
	const { page } = studio.editor;
	await runFirstTemplate(studio);
	// The labels of the wires come last.
	await page.getByText('1 item').nth(2).waitFor();
	await takeSteps(page, name);
}

/** The output of an upload, and then the credential. */
async function takeUploadOutput(studio: Studio, name: string): Promise<void> {
	const { editor, n8n } = studio;
	await runFirstTemplate(studio);
	await editor.openNode('Upload Video');
	await editor.outputPanel.getByTestId('radio-button-json').click();
	await editor.outputPanel.getByText('"uploadId"').waitFor();
	await showAsInDocker(editor.page, n8n);
	await take(editor.page, name);
	await editor.page.getByTestId('credential-edit-button').click();
	await editor.page.getByTestId('credentials-config-container-test-success').waitFor();
	await editor.page.setViewportSize({ width: 1280, height: 1080 });
	await showAsInDocker(editor.page, n8n);
	const modal = await editor.page.getByTestId('editCredential-modal').boundingBox();
	const next = await editor.page.getByText('Allowed HTTP Request Domains').boundingBox();
	if (!modal || !next) throw new Error('The credential is not shown');
	// The fields of the credential end where n8n's own begin.
	await take(editor.page, 'credential', editor.page, { ...modal, height: next.y - 12 - modal.y });
}

async function takeTrigger({ editor, n8n, credential }: Studio, name: string): Promise<void> {
	const template = 'announce-live-events-in-slack';
	await editor.openWorkflow((await importTemplate(n8n, template, credential)).id);
	await editor.openNode('Event Goes Live');
	await editor.page.getByTestId('node-execute-button').click();
	await editor.outputPanel.getByTestId('radio-button-json').click();
	await editor.outputPanel.getByText('"previousStatus"').waitFor();
	await take(editor.page, name);
}

async function takeExample({ editor, n8n, credential }: Studio, name: string): Promise<void> {
	const { id } = await importTemplate(n8n, 'schedule-live-events-from-a-calendar', credential);
	await editor.openWorkflow(id);
	await takeSteps(editor.page, name);
}

async function runFirstTemplate({ editor, n8n, credential }: Studio): Promise<void> {
	await editor.openWorkflow((await importTemplate(n8n, uploadAndSchedule, credential)).id);
	await editor.page.getByTestId('execute-workflow-button').click();
	await editor.node('Schedule Live Event').getByTestId('canvas-node-status-success').waitFor();
}

/** Takes the nodes of a template, without its note. */
async function takeSteps(page: Page, name: string): Promise<void> {
	const shapes = await page
		.getByTestId('canvas-node')
		.filter({ hasNot: page.getByTestId('sticky') })
		.all();
	const boxes = (await Promise.all(shapes.map((shape) => shape.boundingBox()))).filter((box) => box !== null);
	const margin = 48;
	// Below a node is its name, and behind it the wire of its output.
	const below = 100;
	const behind = 150;
	const x = Math.min(...boxes.map((box) => box.x)) - margin;
	const y = Math.min(...boxes.map((box) => box.y)) - margin;
	const width = Math.max(...boxes.map((box) => box.x + box.width)) + behind - x;
	const height = Math.max(...boxes.map((box) => box.y + box.height)) + below - y;
	await take(page, name, page, { x, y, width, height });
}

/** Shows the folder of n8n's Docker image and a public address in place of this machine's temporary ones. */
async function showAsInDocker(page: Page, { userFolder }: RunningN8n): Promise<void> {
	await page.evaluate(`
		const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		for (let text = texts.nextNode(); text; text = texts.nextNode())
			if (text.nodeValue.includes('${userFolder}'))
				text.nodeValue = text.nodeValue.replaceAll('${userFolder}', '/home/node');
		for (const field of document.querySelectorAll('input'))
			if (field.value.startsWith('http://127.0.0.1')) field.value = 'https://api.example.com';
	`);
}

/** Messages and tips that n8n shows for a few seconds, sometimes over what the picture is about. */
const withoutPassingMessages = '.el-notification, [data-test-id="tooltip-content"] { visibility: hidden }';

async function take(
	page: Page,
	name: string,
	part: Pick<Page, 'screenshot'> = page,
	clip?: { x: number; y: number; width: number; height: number },
): Promise<void> {
	await page.evaluate('document.fonts.ready');
	const path = join(folder, `${name}.png`);
	await part.screenshot({
		path,
		animations: 'disabled',
		style: withoutPassingMessages,
		...(clip && { clip }),
	});
	const { size } = statSync(path);
	if (size > largestBytes) throw new Error(`${path} has ${size} bytes, more than ${largestBytes}`);
	console.log(`${path}: ${Math.round(size / 1000)} kB`);
}

main().catch(fail);
