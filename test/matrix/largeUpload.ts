import { strict as assert } from 'node:assert';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { IBinaryData } from 'n8n-workflow';

import { errorOf, outputOf, type Execution } from '../n8n/execution';
import type { RunningN8n } from '../n8n/instance';
import { n8n1 } from '../n8n/releases';
import { fileOf, requireArrived, type TestFile } from './files';
import type { HeldMemoryWatch } from './heldMemory';
import type { Subject } from './subject';
import * as nodes from '../n8n/workflow';

const fileBytes = 210_000_000;
/** Bytes that the service has received when it stops reading. */
const stalledAt = 30_000_000;
const idleTimeoutSeconds = 5;
const deadlineMilliseconds = 300_000;
/** n8n needs memory for each question whether an execution is over. */
const pausePart = 0.5;

/** What an upload may add to n8n's resident memory, which a client or a node that keeps what it read exceeds. */
const mostGrowth = 64 * 2 ** 20;
/** What the node and n8n's HTTP client may hold of the file at one time; without back-pressure it is the whole file. */
const mostHeld = 4 * 2 ** 20;
/** What Linux keeps of one stalled connection at most, in bytes: its send buffer and its receive buffer, see tcp(7). */
const mostPerConnection = largestBuffer('tcp_wmem') + largestBuffer('tcp_rmem');

/**
 * Uploads a large file of random bytes, and again on a connection that stalls once. Throws unless all bytes arrived, n8n's memory grew by
 * less than a fraction of the file, the memory of chunks was given back while the client sent the file, and the HTTP client accepted little more than the service had read when it stalled.
 *
 * @param connections in a row between n8n and the service: one more than there are proxies
 */
export async function uploadsLargeFile(
	{ n8n, service, credential }: Subject,
	connections: number,
	memory: HeldMemoryWatch,
): Promise<string> {
	const file = fileOf('large.mp4', fileBytes);
	const source = nodes.noOperation('Stored File');
	const options = { returnVideo: false, idleTimeoutSeconds };
	const { id } = await n8n.rest.createWorkflow({
		...nodes.workflowOf('Large file', [nodes.manualTrigger(), source, nodes.upload(credential, { options })]),
		pinData: { [source.name]: [{ json: {}, binary: { data: storeFile(n8n, file) } }] },
	});
	// The first upload of a process grows n8n's heap once and for all.
	memory.forget();
	await run(n8n, id);
	requireArrived(service.state.uploads, file);
	service.state.uploads = [];
	const held = memory.last();
	assert.ok(held, 'No memory was given back');
	assert.ok(held.givenBack > fileBytes - mostHeld, `Only ${held.givenBack} bytes of memory were given back`);
	assert.ok(held.most <= mostHeld, `${held.most} bytes of the file were held at one time`);

	service.injectFault({ on: 'uploadPatch', kind: 'hang', afterBytes: stalledAt });
	n8n.forgetPeakRss();
	const { rss } = n8n.memory();
	const execution = await run(n8n, id);
	const growth = n8n.memory().peakRss - rss;
	const { bytesReceived } = requireArrived(service.state.uploads, file);
	service.state.uploads = [];
	assert.equal(bytesReceived, fileBytes, 'Bytes were sent twice');
	assert.ok(growth < mostGrowth, `n8n's memory grew by ${growth} bytes`);

	const output = outputOf(execution, nodes.UPLOAD)[0]?.json;
	const { bytesSent, resumes } = output ?? {};
	assert.ok(typeof bytesSent === 'number' && typeof resumes === 'number' && resumes > 0);
	const ahead = Math.ceil((bytesSent - fileBytes) / resumes);
	assert.ok(ahead <= connections * mostPerConnection, `The client was ${ahead} bytes ahead of the service`);
	return `${fileBytes / 1e6} MB identical; ${(held.most / 1e6).toFixed(1)} MB held at most; RSS + ${Math.round(growth / 2 ** 20)} MiB at most; ${(ahead / 1e6).toFixed(1)} MB ahead of the service on a stalled line`;
}

function largestBuffer(name: 'tcp_wmem' | 'tcp_rmem'): number {
	const [, , largest] = readFileSync(`/proc/sys/net/ipv4/${name}`, 'utf8').trim().split(/\s+/);
	return Number(largest);
}

async function run(n8n: RunningN8n, workflowId: string): Promise<Execution> {
	const id = await n8n.rest.runWorkflow(workflowId, nodes.MANUAL_TRIGGER);
	const execution = await n8n.rest.waitForExecution(id, deadlineMilliseconds, pausePart);
	assert.equal(execution.status, 'success', errorOf(execution));
	return execution;
}

/**
 * Puts a file into n8n's binary data in filesystem mode (n8n-core 2.41.1 dist/binary-data/file-system.manager.js), so that no
 * node of n8n's reads it before the upload, and n8n 1.x does not keep it in memory. Returns an item's binary field.
 */
function storeFile({ userFolder, provided }: RunningN8n, { name, bytes }: TestFile): IBinaryData {
	const folder = provided.release === n8n1 ? 'binaryData' : 'storage';
	const fileId = `workflows/matrix/executions/1/binary_data/${name}`;
	const path = join(userFolder, '.n8n', folder, fileId);
	const described = { fileName: name, mimeType: 'video/mp4' };
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, bytes);
	writeFileSync(`${path}.metadata`, JSON.stringify({ ...described, fileSize: bytes.length }));
	return { ...described, data: 'filesystem-v2', id: `filesystem-v2:${fileId}`, bytes: bytes.length };
}
