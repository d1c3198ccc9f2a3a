import type { Benchmark } from '../benchmark';
import { inTurns, median, ratioOf } from '../rounds';
import { gigabyte, megabyte, formatBytes, readableThroughput, throughput } from '../units';
import { uploadByHand, uploadByNode } from '../uploadWorkflows';

/** An upload in a real n8n, against what a user would build without the node. */
export const uploadInN8n: Benchmark = {
	id: 'upload-in-n8n',
	async run({ bed, report, rounds, quick }) {
		const size = quick ? 50 * megabyte : gigabyte;
		const { n8n, service, credential } = await bed.serviceInN8n();
		const place = { n8n, credential, baseUrl: service.credential.baseUrl };
		const node = await uploadByNode(place, size);
		const byHand = await uploadByHand(place, size);
		const byHandUnredirected = await uploadByHand(place, size, {
			redirect: { redirect: { followRedirects: false } },
		});
		const times = await inTurns({ rounds, report }, `${formatBytes(size)} in n8n`, {
			node: async () => node.time(await node.run()),
			httpRequest: async () => byHand.time(await byHand.run()),
			httpRequestWithoutRedirects: async () => byHandUnredirected.time(await byHandUnredirected.run()),
		});
		const ours = throughput(size, median(times.node));
		const against = (name: string, milliseconds: number[], least: number) => {
			const theirs = throughput(size, median(milliseconds));
			const ratio = ratioOf(ours, theirs);
			return {
				what: `upload of ${formatBytes(size)} from filesystem mode in n8n`,
				against: name,
				target: `≥ ${least.toFixed(1)}`,
				measured: `${readableThroughput(ours)} against ${readableThroughput(theirs)}`,
				ratio,
				met: ratio >= least,
				figures: times,
			};
		};
		return [
			against('HTTP Request node, POST + PATCH by hand', times.httpRequest, 4),
			against('the same with redirects switched off', times.httpRequestWithoutRedirects, 1),
		];
	},
};
