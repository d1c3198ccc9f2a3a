import { setTimeout as sleep } from 'node:timers/promises';

import {
	compare,
	gigabyte,
	inTurns,
	median,
	megabyte,
	mebibyte,
	readableMebibytes,
	rounded,
	type Comparison,
} from '../measure';
import { formatBytes } from '../../../nodes/VideoHosting/shared/text';
import type { Fault, RecordedRequest, ServiceState } from '../../fakeService';
import { startN8n } from '../../n8n/instance';
import { step } from '../../n8n/progress';
import { UPLOAD } from '../../n8n/workflow';
import type { Benchmark, BenchmarkRun } from '../testBed';
import { executionTime, uploadByHand, uploadByNode, type Measured } from '../workflows';

const byHandTitle = 'HTTP Request node, POST + PATCH by hand';

/** Compares an upload by the node with what a user would build without the node. */
async function bothWays(
	{ bed, rounds }: BenchmarkRun,
	what: string,
	size: number,
	unit: string,
	measure: (upload: Measured, n8nUrl: string) => Promise<number>,
	target: string,
	isMet: (ours: number, ratio: number) => boolean,
): Promise<Comparison[]> {
	const place = await bed.serviceInN8n();
	const node = await uploadByNode(place, size);
	const byHand = await uploadByHand(place, size);
	const sides = {
		ours: async () => await measure(node, place.n8n.url),
		theirs: async () => await measure(byHand, place.n8n.url),
	};
	const show = (figure: number) => `${rounded(figure)} ${unit}`;
	return [await compare(rounds, { what, against: byHandTitle, target }, sides, show, isMet)];
}

export const uploadThroughput: Benchmark = async (run) => {
	const size = run.quick ? 50 * megabyte : gigabyte;
	const what = `upload of ${formatBytes(size)} from filesystem mode in n8n`;
	const speed = async (upload: Measured) => size / megabyte / (executionTime(await upload()) / 1000);
	return await bothWays(run, what, size, 'MB/s', speed, '≥ 4', (_ours, ratio) => ratio >= 4);
};

/** How fast n8n responds to others while it uploads: its engine, editor and webhooks share one thread with the node. */
export const uploadLatency: Benchmark = async (run) => {
	const size = run.quick ? 100 * megabyte : 2 * gigabyte;
	const what = `/healthz of n8n during an upload of ${formatBytes(size)}, 99th percentile`;
	return await bothWays(run, what, size, 'ms', slowestResponse, '≤ 20 ms', (ours) => ours <= 20);
};

/** @returns the 99th percentile, in milliseconds, of n8n's response times while the nodes that upload run */
async function slowestResponse(upload: Measured, n8nUrl: string): Promise<number> {
	const times: Array<{ at: number; milliseconds: number }> = [];
	const ended = new AbortController();
	const running = upload().finally(() => ended.abort());
	while (!ended.signal.aborted) {
		const [at, started] = [Date.now(), performance.now()];
		const response = await fetch(`${n8nUrl}/healthz`);
		await response.text();
		times.push({ at, milliseconds: performance.now() - started });
		await sleep(5);
	}
	const runs = await running;
	const from = Math.min(...runs.map(({ startTime }) => startTime));
	const to = Math.max(...runs.map((run) => run.startTime + run.executionTime));
	const during = times.filter(({ at }) => at >= from && at <= to).map(({ milliseconds }) => milliseconds);
	during.sort((a, b) => a - b);
	return during[Math.ceil(during.length * 0.99) - 1] ?? NaN;
}

/**
 * How much the memory of a real n8n grows with the size of an upload; an upload of 1 MB shows what an execution takes. n8n has the heap
 * of a small server: in a larger one, V8 collects the small objects of Node's streams later, and until then they count as growth.
 */
export const uploadMemory: Benchmark = async ({ bed, rounds, quick }) => {
	const most = 32 * mebibyte;
	const n8n = await startN8n({ env: { NODE_OPTIONS: '--max-old-space-size=640' } });
	const place = await bed.serviceInN8n({}, n8n);
	const comparedSize = quick ? 100 * megabyte : 4 * gigabyte;
	const greatest = quick ? comparedSize : 10 * gigabyte;
	// The heap of a young n8n grows once, until Node.js collects old objects.
	const warmUp = await uploadByNode(place, greatest);
	/** By how many bytes the resident memory of an n8n that has started and uploaded one file is higher during the run. */
	const growth = (run: Measured) => async () => {
		await n8n.stop();
		await n8n.start();
		await warmUp();
		return await n8n.memoryGrowth(run);
	};
	const comparisons: Comparison[] = [];
	for (const size of new Set([megabyte, comparedSize, greatest])) {
		const sides: Record<string, () => Promise<number>> = { bytes: growth(await uploadByNode(place, size)) };
		// A node that buffers 10 GB could take this machine's memory.
		if (size === comparedSize) sides.httpRequestBytes = growth(await uploadByHand(place, size));
		const figures = await inTurns(rounds, `Memory for ${formatBytes(size)}`, sides);
		const { bytes = [], httpRequestBytes } = figures;
		const theirs = httpRequestBytes && ` against ${readableMebibytes(median(httpRequestBytes))}`;
		comparisons.push({
			what: `growth of n8n's peak memory (RSS), upload of ${formatBytes(size)}`,
			against: httpRequestBytes ? byHandTitle : '–',
			target: `≤ ${readableMebibytes(most)}`,
			measured: `${readableMebibytes(median(bytes))} (at most ${readableMebibytes(Math.max(...bytes))})${theirs ?? ''}`,
			met: median(bytes) <= most,
			figures,
			readme: httpRequestBytes && [
				`Memory that an upload of ${formatBytes(size)} adds to n8n`,
				readableMebibytes(median(bytes)),
				readableMebibytes(median(httpRequestBytes)),
			],
		});
	}
	await n8n.remove();
	return comparisons;
};

/** What an upload costs whose connection breaks again and again: bytes that the service had acknowledged, sent again. */
export const uploadCuts: Benchmark = async ({ bed, quick }) => {
	const cuts = 10;
	const size = quick ? 100 * megabyte : gigabyte;
	const place = await bed.serviceInN8n();
	const { service } = place;
	const node = await uploadByNode(place, size);
	const afterBytes = Math.floor(size / (cuts + 1));
	const fault: Fault = { kind: 'reset', on: 'uploadPatch', afterBytes, times: cuts };
	await service.control('POST', 'faults', fault);
	await step(`${formatBytes(size)} with ${cuts} cuts`, node);

	const upload = (await service.control<ServiceState>('GET', 'state')).uploads.at(-1);
	const requests = await service.control<RecordedRequest[]>('GET', 'requests');
	const patches = requests.filter(({ operation }) => operation === 'uploadPatch').length;
	if (!upload?.complete || patches !== cuts + 1)
		throw new Error(`${UPLOAD} took ${patches} requests instead of ${cuts + 1}, or is not complete`);
	const sentAgain = upload.bytesReceived - size;
	return [
		{
			what: `bytes sent again after ${cuts} cuts of a ${formatBytes(size)} upload`,
			against: 'bytes the service had acknowledged',
			target: '0',
			measured: String(sentAgain),
			met: sentAgain === 0,
			figures: { bytesReceived: upload.bytesReceived, size },
			readme: [
				'Acknowledged bytes sent again after ten cuts of a 1 GB upload',
				String(sentAgain),
				'no resume',
			],
		},
	];
};
