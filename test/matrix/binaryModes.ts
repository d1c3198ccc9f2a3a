import { strict as assert } from 'node:assert';

import { startShapedLine } from '../bench/shapedLine';
import { errorOf, outputOf } from '../n8n/execution';
import type { RunningN8n } from '../n8n/instance';
import { poll } from '../n8n/poll';
import type { RunningService } from '../fakeService';
import type { Checklist } from './checklist';
import { requireArrived, writeTestFile } from './files';
import { inEachRelease, type MatrixSetup, type Place } from './setup';
import { credentialFor, runToSuccess } from './subject';
import * as nodes from '../n8n/workflow';

const modes = ['default', 'filesystem', 'database'];
const fileBytes = 32 * 2 ** 20;
const deadlineMilliseconds = 120_000;
/** Long enough to look at n8n's memory between the reading of the file and the upload. */
const holdMilliseconds = 2_000;

/**
 * A line that takes longer for the file than Idle Timeout, and not as long for what Linux may keep of a connection on loopback: a
 * send buffer of 4 MiB and a receive buffer of 6 MiB.
 */
const slowLine = { fileBytes: 36_000_000, bytesPerSecond: 6_000_000, idleTimeoutSeconds: 4 };

/** The same file from wherever n8n keeps binary data. */
export async function checkBinaryModes(checklist: Checklist, setup: MatrixSetup): Promise<void> {
	for (const mode of modes)
		await inEachRelease(checklist, setup, async (place) => await checkMode(checklist, place, mode));
}

async function checkMode(checklist: Checklist, place: Place, mode: string): Promise<void> {
	const { version } = place.release;
	const service = await place.service();
	const n8n = await place.n8n({
		N8N_DEFAULT_BINARY_DATA_MODE: mode,
		// n8n 1.x offers the database only when configured.
		N8N_AVAILABLE_BINARY_DATA_MODES: 'filesystem,database',
	});
	await checklist.row(
		`upload of ${megabytes(fileBytes)}`,
		`${version} ${mode}`,
		async () => await uploadsFrom(n8n, service),
	);
	service.state.uploads = [];
	await checklist.row(
		`upload of ${slowLine.fileBytes / 1e6} MB over a slow line`,
		`${version} ${mode}`,
		async () => await uploadsOverSlowLine(n8n, service),
	);
}

async function uploadsFrom(n8n: RunningN8n, service: RunningService): Promise<string> {
	const credential = await credentialFor(n8n, service);
	const file = writeTestFile(n8n.filesFolder, 'binary-mode.mp4', fileBytes);
	const { id } = await n8n.rest.createWorkflow(
		nodes.workflowOf('Binary mode', [
			nodes.manualTrigger(),
			nodes.readFiles(file.path),
			nodes.upload(credential, { options: { returnVideo: false } }),
		]),
	);
	service.injectFault({ on: 'uploadCreate', kind: 'delay', ms: holdMilliseconds });
	service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 20_000_000 });

	const idle = forgetPeak(n8n);
	const executionId = await n8n.rest.runWorkflow(id, nodes.MANUAL_TRIGGER);
	await poll('the upload to begin', deadlineMilliseconds, () => {
		const { length } = service.requestsOf('uploadCreate');
		return length > 0 || undefined;
	});
	const read = forgetPeak(n8n);
	const uploaded = poll('the last byte', deadlineMilliseconds, () => {
		const [upload] = service.state.uploads;
		return upload?.complete ? n8n.memory().peakRss : undefined;
	});
	const execution = await n8n.rest.waitForExecution(executionId, deadlineMilliseconds);
	assert.equal(execution.status, 'success', errorOf(execution));
	const { bytesReceived } = requireArrived(service.state.uploads, file);
	assert.equal(bytesReceived, file.bytes.length, 'Bytes were sent twice');
	const growth = (await uploaded) - read;
	return `identical; RSS ${change(read - idle)} by reading the file, ${change(growth)} at most by the upload`;
}

/** The line never stalls, so one request carries the file, however much n8n returns at once in this mode. */
async function uploadsOverSlowLine(n8n: RunningN8n, service: RunningService): Promise<string> {
	const { fileBytes: size, bytesPerSecond, idleTimeoutSeconds } = slowLine;
	const line = await startShapedLine({
		target: service.baseUrl,
		roundTripMilliseconds: 20,
		bitsPerSecond: 8 * bytesPerSecond,
	});
	try {
		const credential = await n8n.rest.createCredential('videoHostingApi', 'Slow line', {
			...service.credential,
			baseUrl: line.baseUrl,
		});
		const file = writeTestFile(n8n.filesFolder, 'slow-line.mp4', size);
		const options = { returnVideo: false, idleTimeoutSeconds };
		const execution = await runToSuccess(
			n8n,
			nodes.workflowOf('Slow line', [
				nodes.manualTrigger(),
				nodes.readFiles(file.path),
				nodes.upload(credential, { options }),
			]),
		);
		requireArrived(service.state.uploads, file);
		const { bytesSent, resumes } = outputOf(execution, nodes.UPLOAD)[0]?.json ?? {};
		assert.deepEqual({ bytesSent, resumes }, { bytesSent: size, resumes: 0 });
		assert.ok(line.bytesUp() < 1.01 * size, `${line.bytesUp()} bytes went over the line`);
		return `${bytesPerSecond / 1e6} MB/s, Idle Timeout ${idleTimeoutSeconds} s: identical, one try, ${size} bytes sent`;
	} finally {
		await line.close();
	}
}

/** Makes Linux measure the peak of n8n's memory from now on; returns what it uses now, in bytes. */
function forgetPeak(n8n: RunningN8n): number {
	n8n.forgetPeakRss();
	return n8n.memory().rss;
}

function change(bytes: number): string {
	return `${bytes < 0 ? '−' : '+'} ${megabytes(Math.abs(bytes))}`;
}

function megabytes(bytes: number): string {
	return `${Math.round(bytes / 2 ** 20)} MiB`;
}
