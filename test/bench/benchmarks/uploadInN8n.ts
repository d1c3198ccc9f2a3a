import { formatBytes } from '../../../nodes/VideoHosting/shared/text';
import type { Fault, RecordedRequest, ServiceState } from '../../fakeService';
import { startN8n } from '../../n8n/instance';
import { step } from '../../n8n/progress';
import { UPLOAD } from '../../n8n/workflow';
import { compare, gigabyte, megabyte, mebibyte, readableMebibytes, rounded } from '../measure';
import type { Benchmark } from '../testBed';
import { executionTime, uploadByHand, uploadByNode, type Measured } from '../workflows';

const byHandTitle = 'HTTP Request node, POST + PATCH by hand';

/** Compares an upload by the node with what a user would build without the node. */
export const uploadThroughput: Benchmark = async ({ bed, rounds, quick }) => {
	const size = quick ? 50 * megabyte : gigabyte;
	const place = await bed.serviceInN8n();
	const speed = (upload: Measured) => async () => size / megabyte / (executionTime(await upload()) / 1000);
	const sides = {
		ours: speed(await uploadByNode(place, size)),
		theirs: speed(await uploadByHand(place, size)),
	};
	const compared = {
		what: `upload of ${formatBytes(size)} from filesystem mode in n8n`,
		against: byHandTitle,
		target: '≥ 4',
	};
	const show = (figure: number) => `${rounded(figure)} MB/s`;
	return [await compare(rounds, compared, sides, show, (_ours, ratio) => ratio >= 4)];
};

/**
 * How much the memory of a real n8n grows by an upload. n8n has the heap of a small server: in a larger one, V8 collects the small
 * objects of Node's streams later, and until then they count as growth.
 */
export const uploadMemory: Benchmark = async ({ bed, rounds, quick }) => {
	const most = 32 * mebibyte;
	const size = quick ? 100 * megabyte : 4 * gigabyte;
	const n8n = await startN8n({ env: { NODE_OPTIONS: '--max-old-space-size=640' } });
	const place = await bed.serviceInN8n({}, n8n);
	// The heap of a young n8n grows once, until Node.js collects old objects.
	const warmUp = await uploadByNode(place, quick ? size : 10 * gigabyte);
	/** By how many bytes the resident memory of an n8n that has started and uploaded one file is higher during the run. */
	const growth = (run: Measured) => async () => {
		await n8n.stop();
		await n8n.start();
		await warmUp();
		return await n8n.memoryGrowth(run);
	};
	const sides = {
		ours: growth(await uploadByNode(place, size)),
		theirs: growth(await uploadByHand(place, size)),
	};
	const compared = {
		what: `growth of n8n's peak memory (RSS), upload of ${formatBytes(size)}`,
		against: byHandTitle,
		target: `≤ ${readableMebibytes(most)}`,
		inReadme: `Memory that an upload of ${formatBytes(size)} adds to n8n`,
	};
	const comparison = await compare(rounds, compared, sides, readableMebibytes, (ours) => ours <= most);
	await n8n.remove();
	return [comparison];
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
