import { compareThroughput, gigabyte, inTurns, megabyte, readableBytes } from '../measure';
import { startSide } from '../sides';
import type { Benchmark } from '../testBed';

/** The node without n8n's engine around it, against what else sends a file from Node. */
export const uploadOutside: Benchmark = async ({ bed, report, rounds, quick }) => {
	const size = quick ? 50 * megabyte : gigabyte;
	// tus-js-client fails when responses lack these headers; the reference documents neither.
	const { credential } = await bed.service({ patchReturnsOffset: true, headReturnsLength: true });
	const node = await startSide(bed, 'node');
	const tusJsClient = await startSide(bed, 'tusJsClient');
	const httpRequest = await startSide(bed, 'httpRequest');
	const times = await inTurns({ rounds, report }, `${readableBytes(size)} outside n8n's engine`, {
		node: async () => await node({ credential, size }),
		tusJsClient: async () => await tusJsClient({ credential, size }),
		httpRequest: async () => await httpRequest({ credential, size }),
	});
	return compareThroughput(`upload of ${readableBytes(size)} outside n8n's engine`, size, times, [
		['stock tus-js-client on Node', 'tusJsClient', 1],
		['a bare http.request pipe', 'httpRequest', 0.9],
	]);
};
