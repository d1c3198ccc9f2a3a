import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Page } from 'playwright-core';

import { startShapedLine } from '../bench/shapedLine';
import { Editor } from '../editor/editor';
import type { RunningN8n } from '../n8n/instance';
import { writeSampleVideo } from '../n8n/sampleVideo';
import { manualTrigger, readFiles, videoHosting, workflowOf } from '../n8n/workflow';
import type { RecordedRequest, RunningService } from '../fakeService';
import { encodeGif, type Frame } from './animation';
import type { Studio } from './studio';

const fileName = 'town-hall.avi';
const megabytes = 60;
/** Bytes that the service receives of the first and of the second request before it resets the connection. */
const cuts = [22_000_000, 18_000_000];
/** Slow enough that several frames show each request. */
const line = { roundTripMilliseconds: 20, bitsPerSecond: 64e6 };
const pauseMilliseconds = 250;
const lastFrameMilliseconds = 5_000;
const width = 1000;
const editorHeight = 420;
const cutMark = '✕ connection reset';
/** What the documents call the service. */
const shownHost = 'api.example.com';
const shownNodeStatus = '[data-test-id="canvas-node-status-success"]';

/** One moment of the run: n8n's editor, and the log lines so far. */
interface Moment {
	at: number;
	editor: Buffer;
	n8nLines: string[];
	serviceLines: string[];
}

/**
 * Records an upload in n8n's editor over a slow line that is cut twice.
 *
 * @returns a GIF: the editor above the lines that n8n logs and the requests that the fake service receives
 */
export async function recordResumedUpload({ browser, n8n, service }: Studio): Promise<Uint8Array> {
	const path = join(n8n.filesFolder, fileName);
	writeSampleVideo(path, megabytes);
	const slowLine = await startShapedLine({ target: service.baseUrl, ...line });
	const uploadsBefore = service.state.uploads.length;
	for (const afterBytes of cuts) service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes });
	try {
		const workflow = await createWorkflow(n8n, path, { ...service.credential, baseUrl: slowLine.baseUrl });
		const editor = await Editor.open(browser, n8n, { width, height: editorHeight });
		await editor.openWorkflow(workflow.id);
		const moments = await recordRun(editor, n8n, service);
		await editor.close();

		const upload = service.state.uploads[uploadsBefore];
		const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
		if (!upload?.complete || upload.sha256 !== sha256)
			throw new Error('The upload to be shown did not arrive byte for byte');
		const page = await browser.newPage({ viewport: { width, height: editorHeight } });
		const frames = await composeFrames(page, moments);
		await page.close();
		return encodeGif(frames);
	} finally {
		service.clearFaults();
		await slowLine.close();
	}
}

async function createWorkflow(
	n8n: RunningN8n,
	path: string,
	account: RunningService['credential'],
): Promise<{ id: string }> {
	const credential = await n8n.rest.createCredential('videoHostingApi', 'Account over a slow line', account);
	return await n8n.rest.createWorkflow(
		workflowOf('Upload over a line that is cut', [
			manualTrigger(),
			readFiles(path, 'Read Video File'),
			videoHosting('Upload Video', credential, { resource: 'upload', operation: 'upload' }),
		]),
	);
}

async function recordRun(editor: Editor, n8n: RunningN8n, service: RunningService): Promise<Moment[]> {
	const firstRequest = service.requests.length;
	const isOver = editor.node('Upload Video').locator(shownNodeStatus);
	const moment = async (): Promise<Moment> => ({
		at: Date.now(),
		n8nLines: uploadLines(n8n.log()),
		serviceLines: requestLines(service.requests.slice(firstRequest)),
		editor: await editor.page.screenshot({ style: '.el-notification { visibility: hidden }' }),
	});
	await editor.page.waitForLoadState('networkidle');
	const moments = [await moment()];
	const executeButton = editor.page.getByTestId('execute-workflow-button');
	await executeButton.click();
	const deadline = Date.now() + 60_000;
	while (!(await isOver.isVisible())) {
		if (Date.now() > deadline)
			throw new Error(`The upload to be shown does not end:\n${n8n.log().slice(-2_000)}`);
		await sleep(pauseMilliseconds);
		moments.push(await moment());
	}
	await executeButton.getByText('Execute workflow').waitFor();
	await sleep(pauseMilliseconds);
	moments.push(await moment());
	return moments;
}

/** The lines about the upload of the recorded file in n8n's log, without date, level and colors. */
function uploadLines(log: string): string[] {
	return log
		.split('\n')
		.filter((text) => text.includes(`Upload of "${fileName}"`))
		.map((text) => text.slice(text.indexOf('Upload of "')).replace(/ \([\w-]{20,}\)/, ''))
		.map((text) => text.replace(/127\.0\.0\.1:\d+/, shownHost));
}

/** What the fake service recorded of the upload: a request that has no response when the next one arrives was cut. */
function requestLines(requests: RecordedRequest[]): string[] {
	const count = (bytes: number) => bytes.toLocaleString('en-US').padStart(10);
	return requests
		.filter(({ operation }) => operation.startsWith('upload'))
		.map(({ method, uploadOffset, bodyBytes, status }, position, uploadRequests) => {
			const isLast = position === uploadRequests.length - 1;
			return [
				method.padEnd(6),
				(uploadOffset === undefined ? '' : `Upload-Offset: ${count(uploadOffset)}`).padEnd(26),
				(method === 'PATCH' ? `${count(bodyBytes)} bytes received` : '').padEnd(26),
				status === undefined ? (isLast ? '' : cutMark) : `→ ${status}`,
			].join(' ');
		});
}

async function composeFrames(page: Page, moments: Moment[]): Promise<Frame[]> {
	const last = moments.at(-1);
	const lineCount = { n8n: last?.n8nLines.length ?? 0, service: last?.serviceLines.length ?? 0 };
	const frames: Frame[] = [];
	for (const [position, { at, editor, n8nLines, serviceLines }] of moments.entries()) {
		await page.setContent(
			`<style>body{margin:0;background:#fff;color:#333;font:12px/19px monospace}img{display:block;width:${width}px}` +
				`h2{margin:10px 14px 4px;font:600 13px/18px sans-serif;color:#2747b8}pre{margin:0 14px 10px;font:inherit}div{overflow:hidden;text-overflow:ellipsis}.cut{color:#c2410c}</style>` +
				`<img src="data:image/png;base64,${editor.toString('base64')}">` +
				logBlock('Log of n8n', n8nLines, lineCount.n8n) +
				logBlock(
					'Requests at the fake service, which resets two connections',
					serviceLines,
					lineCount.service,
				),
		);
		const next = moments[position + 1]?.at ?? at + lastFrameMilliseconds;
		frames.push({ png: await page.screenshot({ fullPage: true }), delay: next - at });
	}
	return frames;
}

/** A block as high as it is at the end of the run, with the lines about a cut in another color. */
function logBlock(title: string, lines: string[], lineCount: number): string {
	const items = lines.map((text) => {
		const isCut = text.includes('was interrupted') || text.includes(cutMark);
		return `<div${isCut ? ' class="cut"' : ''}>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</div>`;
	});
	return `<h2>${title}</h2><pre style="height:${lineCount * 19}px">${items.join('')}</pre>`;
}
