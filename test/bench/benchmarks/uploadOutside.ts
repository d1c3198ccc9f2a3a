import type { Benchmark } from '../benchmark';
import { compareThroughput, inTurns } from '../rounds';
import { startSide } from '../transfers/sides';
import { withN8nCore } from '../transfers/transfer';
import { gigabyte, megabyte, formatBytes } from '../units';

/** The node without n8n's engine around it, against what else sends a file from Node. */
export const uploadOutside: Benchmark = {
	id: 'upload-outside-n8n',
	async run({ bed, report, rounds, quick }) {
		const size = quick ? 50 * megabyte : gigabyte;
		// tus-js-client fails when responses lack these headers; the reference documents neither.
		const { credential } = await bed.service({ patchReturnsOffset: true, headReturnsLength: true });
		const transfer = { credential, size, requestBytes: 0 };
		const node = await startSide(bed, 'node');
		const nodeWithoutDigest = await startSide(bed, 'nodeWithoutDigest');
		const tusJsClient = await startSide(bed, 'tusJsClient');
		const httpRequest = await startSide(bed, 'httpRequest');
		// What n8n-core keeps in memory is walked by each collection of garbage, and the chunks of a file are garbage.
		const tusJsClientWithCore = await startSide(bed, 'tusJsClient', withN8nCore);
		const httpRequestWithCore = await startSide(bed, 'httpRequest', withN8nCore);
		const times = await inTurns({ rounds, report }, `${formatBytes(size)} outside n8n's engine`, {
			node: async () => await node(transfer),
			nodeWithoutDigest: async () => await nodeWithoutDigest(transfer),
			tusJsClient: async () => await tusJsClient(transfer),
			httpRequest: async () => await httpRequest(transfer),
			tusJsClientWithCoreN8nCore: async () => await tusJsClientWithCore(transfer),
			httpRequestWithCoreN8nCore: async () => await httpRequestWithCore(transfer),
		});
		return compareThroughput(`upload of ${formatBytes(size)} outside n8n's engine`, size, times, 'node', [
			['stock tus-js-client on Node', 'tusJsClient', 1],
			['the same without the digest of its content', 'nodeWithoutDigest', 0.9],
			['a bare http.request pipe', 'httpRequest', 0.9],
			['stock tus-js-client with n8n-core in its process', 'tusJsClientWithCoreN8nCore', 1],
			['http.request pipe with n8n-core in its process', 'httpRequestWithCoreN8nCore', 0.9],
		]);
	},
};
