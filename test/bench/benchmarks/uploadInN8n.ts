import {
	gigabyte,
	inTurns,
	median,
	megabyte,
	mebibyte,
	ratioOf,
	readableBytes,
	readableMebibytes,
	rounded,
	type Comparison,
} from '../measure';
import type { Fault, RecordedRequest, ServiceState } from '../../fakeService';
import { step } from '../../n8n/progress';
import { UPLOAD } from '../../n8n/workflow';
import type { Benchmark, BenchmarkRun } from '../testBed';
import { responseTimes } from '../responseTimes';
import { uploadByHand, uploadByNode, type UploadWorkflow } from '../workflows';

const byHandTitle = 'HTTP Request node, POST + PATCH by hand';

/** Measures an upload by the node, and by what a user would build without the node. */
async function bothWays(
	{ bed, ...run }: BenchmarkRun,
	title: string,
	size: number,
	measure: (upload: UploadWorkflow, n8nUrl: string) => Promise<number>,
) {
	const place = await bed.serviceInN8n();
	const node = await uploadByNode(place, size);
	const byHand = await uploadByHand(place, size);
	return await inTurns(run, title, {
		node: async () => await measure(node, place.n8n.url),
		httpRequest: async () => await measure(byHand, place.n8n.url),
	});
}

export const uploadThroughput: Benchmark = async (run) => {
	const least = 4;
	const size = run.quick ? 50 * megabyte : gigabyte;
	const title = `${readableBytes(size)} in n8n`;
	const times = await bothWays(run, title, size, async (upload) => upload.time(await upload.run()));
	const speed = (milliseconds: number[]) => size / megabyte / (median(milliseconds) / 1000);
	const [ours, theirs] = [speed(times.node), speed(times.httpRequest)];
	return [
		{
			what: `upload of ${readableBytes(size)} from filesystem mode in n8n`,
			against: byHandTitle,
			target: `≥ ${least}`,
			measured: `${rounded(ours)} MB/s against ${rounded(theirs)} MB/s`,
			ratio: ratioOf(ours, theirs),
			met: ours / theirs >= least,
			figures: times,
		},
	];
};

/** How fast n8n responds to others while it uploads: its engine, editor and webhooks share one thread with the node. */
export const uploadLatency: Benchmark = async (run) => {
	const most = 20;
	const size = run.quick ? 100 * megabyte : 2 * gigabyte;
	const title = `/healthz during ${readableBytes(size)}`;
	const times = await bothWays(run, title, size, async (upload, url) => await responseTimes(url, upload));
	const [ours, theirs] = [median(times.node), median(times.httpRequest)];
	return [
		{
			what: `/healthz of n8n during an upload of ${readableBytes(size)}, 99th percentile`,
			against: byHandTitle,
			target: `≤ ${most} ms`,
			measured: `${ours.toFixed(1)} ms against ${theirs.toFixed(1)} ms`,
			ratio: ratioOf(ours, theirs),
			met: ours <= most,
			figures: times,
		},
	];
};

/** How much the memory of a real n8n grows with the size of an upload; an upload of 1 MB shows what an execution takes. */
export const uploadMemory: Benchmark = async ({ bed, report, rounds, quick }) => {
	const most = 32 * mebibyte;
	const place = await bed.serviceInN8n();
	const { n8n } = place;
	const comparedSize = quick ? 100 * megabyte : 4 * gigabyte;
	const greatest = quick ? comparedSize : 10 * gigabyte;
	// The heap of a young n8n grows once, until Node.js collects old objects.
	const warmUp = await uploadByNode(place, greatest);
	/** By how many bytes the resident memory of an n8n that has started and uploaded one file is higher during the run. */
	const growth =
		({ run }: UploadWorkflow) =>
		async () => {
			await n8n.stop();
			await n8n.start();
			await warmUp.run();
			return await n8n.memoryGrowth(run);
		};
	const comparisons: Comparison[] = [];
	for (const size of new Set([megabyte, comparedSize, greatest])) {
		// A node that buffers 10 GB could take this machine's memory.
		const byHand = size === comparedSize ? await uploadByHand(place, size) : undefined;
		const sides: Record<string, () => Promise<number>> = { bytes: growth(await uploadByNode(place, size)) };
		if (byHand) sides.httpRequestBytes = growth(byHand);
		const figures = await inTurns({ rounds, report }, `Memory for ${readableBytes(size)}`, sides);
		const { bytes = [], httpRequestBytes } = figures;
		const theirs = httpRequestBytes && ` against ${readableMebibytes(median(httpRequestBytes))}`;
		comparisons.push({
			what: `growth of n8n's peak memory (RSS), upload of ${readableBytes(size)}`,
			against: byHand ? byHandTitle : '–',
			target: `≤ ${readableMebibytes(most)}`,
			measured: `${readableMebibytes(median(bytes))} (at most ${readableMebibytes(Math.max(...bytes))})${theirs ?? ''}`,
			met: median(bytes) <= most,
			figures,
		});
	}
	return comparisons;
};

/** What an upload costs whose connection breaks again and again: bytes that the service had acknowledged, sent again. */
export const uploadCuts: Benchmark = async ({ bed, report, quick }) => {
	const cuts = 10;
	const size = quick ? 100 * megabyte : gigabyte;
	const place = await bed.serviceInN8n();
	const { service } = place;
	const node = await uploadByNode(place, size);
	const afterBytes = Math.floor(size / (cuts + 1));
	const fault: Fault = { kind: 'reset', on: 'uploadPatch', afterBytes, times: cuts };
	await service.control('POST', 'faults', fault);
	await step(report, `${readableBytes(size)} with ${cuts} cuts`, async () => await node.run());

	const upload = (await service.control<ServiceState>('GET', 'state')).uploads.at(-1);
	const requests = await service.control<RecordedRequest[]>('GET', 'requests');
	const patches = requests.filter(({ operation }) => operation === 'uploadPatch').length;
	if (!upload?.complete || patches !== cuts + 1)
		throw new Error(`${UPLOAD} took ${patches} requests instead of ${cuts + 1}, or is not complete`);
	const sentAgain = upload.bytesReceived - size;
	return [
		{
			what: `bytes sent again after ${cuts} cuts of a ${readableBytes(size)} upload`,
			against: 'bytes the service had acknowledged',
			target: '0',
			measured: String(sentAgain),
			met: sentAgain === 0,
			figures: { bytesReceived: upload.bytesReceived, size },
		},
	];
};
