import { step } from '../../n8n/progress';
import type { Benchmark, Comparison } from '../benchmark';
import { compareThroughput, inTurns } from '../rounds';
import { startShapedLine } from '../shapedLine';
import { startSide } from '../transfers/sides';
import { mebibyte } from '../units';

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
			comparisons.push(
				...compareThroughput(`upload of ${title}`, size, times, 'node', [
					['stock tus-js-client on Node', 'tusJsClient', 1],
					['a bare http.request pipe', 'httpRequest', 1],
				]),
			);
		}
		return comparisons;
	},
};
