import type { Benchmark } from '../benchmark';
import { compareThroughput, inTurns } from '../rounds';
import { gigabyte, megabyte, formatBytes } from '../units';
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
		return compareThroughput(
			`upload of ${formatBytes(size)} from filesystem mode in n8n`,
			size,
			times,
			'node',
			[
				['HTTP Request node, POST + PATCH by hand', 'httpRequest', 4],
				['the same with redirects switched off', 'httpRequestWithoutRedirects', 1],
			],
		);
	},
};
