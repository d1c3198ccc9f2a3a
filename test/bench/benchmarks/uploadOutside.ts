import { inTurns, median } from '../rounds';
import type { Benchmark } from '../benchmark';
import { startSide } from '../transfers/sides';
import { gigabyte, megabyte, readableSize, readableThroughput, throughput } from '../units';

/** The node without n8n's engine around it, against what else sends a file from Node. */
export const uploadOutside: Benchmark = {
	id: 'upload-outside-n8n',
	async run({ bed, report, rounds, quick }) {
		const size = quick ? 50 * megabyte : gigabyte;
		// tus-js-client gives up where answers lack these headers; the reference promises neither.
		const { credential } = await bed.service({ patchAnswersOffset: true, headAnswersLength: true });
		const transfer = { credential, size, requestBytes: 0 };
		const node = await startSide(bed, 'node');
		const tusJsClient = await startSide(bed, 'tusJsClient');
		const httpRequest = await startSide(bed, 'httpRequest');
		const times = await inTurns({ rounds, report }, `${readableSize(size)} outside n8n's engine`, {
			node: async () => await node(transfer),
			tusJsClient: async () => await tusJsClient(transfer),
			httpRequest: async () => await httpRequest(transfer),
		});
		const speed = (milliseconds: number[]) => throughput(size, median(milliseconds));
		const ours = speed(times.node);
		const against = (name: string, theirs: number, least: number) => ({
			what: `upload of ${readableSize(size)} outside n8n's engine`,
			against: name,
			target: `≥ ${least.toFixed(1)}`,
			measured: `${readableThroughput(ours)} against ${readableThroughput(theirs)}`,
			ratio: ours / theirs,
			met: ours / theirs >= least,
			figures: times,
		});
		return [
			against('stock tus-js-client on Node', speed(times.tusJsClient), 1),
			against('a bare http.request pipe', speed(times.httpRequest), 0.9),
		];
	},
};
