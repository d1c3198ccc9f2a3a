import { step } from '../../n8n/progress';
import type { Benchmark, Comparison } from '../benchmark';
import { inTurns, median, ratioOf } from '../rounds';
import { startShapedLine } from '../shapedLine';
import { startSide } from '../transfers/sides';
import { mebibyte, readableThroughput, throughput } from '../units';

const roundTripMilliseconds = 100;
const bitsPerSecond = 100e6;

/** The same transfers over a line as users have it, in one PATCH and in requests of a bounded size. */
export const uploadShaped: Benchmark = {
	id: 'upload-shaped',
	async run({ bed, report, rounds, quick }) {
		const size = (quick ? 8 : 128) * mebibyte;
		const modes = [
			{ name: 'one PATCH', requestBytes: 0 },
			{
				name: `${quick ? 2 : 16} MiB requests`,
				requestBytes: (quick ? 2 : 16) * mebibyte,
			},
		];
		const service = await bed.service({ patchReturnsOffset: true, headReturnsLength: true });
		const line = await startShapedLine({
			target: service.credential.baseUrl,
			roundTripMilliseconds,
			bitsPerSecond,
		});
		bed.endLater(async () => await line.close());
		const credential = { ...service.credential, baseUrl: line.baseUrl };
		const node = await startSide(bed, 'node');
		const tusJsClient = await startSide(bed, 'tusJsClient');
		const httpRequest = await startSide(bed, 'httpRequest');
		// The line sets the pace, so a small file is enough to have everything loaded.
		await step(report, 'Warm-up of all sides', async () => {
			for (const side of [node, tusJsClient, httpRequest]) {
				await side({ credential, size: mebibyte, requestBytes: 0 });
			}
		});

		const comparisons: Comparison[] = [];
		for (const { name, requestBytes } of modes) {
			const transfer = { credential, size, requestBytes };
			const title = `${size / mebibyte} MiB at ${bitsPerSecond / 1e6} Mbit/s, ${roundTripMilliseconds} ms round trip, ${name}`;
			const times = await inTurns({ rounds, report, isWarm: true }, title, {
				node: async () => await node(transfer),
				tusJsClient: async () => await tusJsClient(transfer),
				httpRequest: async () => await httpRequest(transfer),
			});
			const ours = throughput(size, median(times.node));
			const against = (side: string, milliseconds: number[]): Comparison => {
				const theirs = throughput(size, median(milliseconds));
				const ratio = ratioOf(ours, theirs);
				return {
					what: `upload of ${title}`,
					against: side,
					target: '≥ 1.0',
					measured: `${readableThroughput(ours)} against ${readableThroughput(theirs)}`,
					ratio,
					met: ratio >= 1,
					figures: times,
				};
			};
			comparisons.push(
				against('stock tus-js-client on Node', times.tusJsClient),
				against('a bare http.request pipe', times.httpRequest),
			);
		}
		return comparisons;
	},
};
