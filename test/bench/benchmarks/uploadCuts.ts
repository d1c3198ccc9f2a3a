import { outputOf } from '../../n8n/execution';
import { step } from '../../n8n/progress';
import { UPLOAD } from '../../n8n/workflow';
import type { Benchmark, Comparison } from '../benchmark';
import { startShapedLine } from '../shapedLine';
import { gigabyte, megabyte, readableKilobytes, formatBytes } from '../units';
import { uploadByNode } from '../uploadWorkflows';

const cuts = 10;
/** A line between two data centres of a region. */
const roundTripMilliseconds = 5;
const bitsPerSecond = 1e9;

/** What an upload costs whose connection breaks again and again: bytes that the service had, and bytes on their way. */
export const uploadCuts: Benchmark = {
	id: 'upload-cuts',
	async run({ bed, report, quick }): Promise<Comparison[]> {
		const size = quick ? 100 * megabyte : gigabyte;
		const { n8n, service } = await bed.serviceInN8n();
		const target = service.credential.baseUrl;
		const line = await startShapedLine({ target, roundTripMilliseconds, bitsPerSecond });
		bed.endLater(async () => await line.close());
		const overLine = { ...service.credential, baseUrl: line.baseUrl };
		const credential = await n8n.rest.createCredential('videoHostingApi', 'Benchmark with cuts', overLine);
		const node = await uploadByNode({ n8n, credential, baseUrl: line.baseUrl }, size);
		await service.remote.injectFault({
			kind: 'reset',
			on: 'uploadPatch',
			afterBytes: Math.floor(size / (cuts + 1)),
			times: cuts,
		});
		const title = `${formatBytes(size)} with ${cuts} cuts`;
		const execution = await step(report, title, async () => await node.run());

		const { uploads } = await service.remote.state();
		const upload = uploads.at(-1);
		const patches = (await service.remote.requests('uploadPatch')).length;
		if (!upload?.complete || patches !== cuts + 1) {
			throw new Error(`The upload took ${patches} requests instead of ${cuts + 1}, or is not complete`);
		}
		const sentAgain = upload.bytesReceived - size;
		const carried = line.bytesUp() - size;
		return [
			{
				what: `bytes sent again after ${cuts} cuts of a ${formatBytes(size)} upload`,
				against: 'bytes the service had acknowledged',
				target: '0',
				measured: String(sentAgain),
				met: sentAgain === 0,
				figures: { bytesReceived: upload.bytesReceived, size },
			},
			{
				what: `everything that the line carried in that upload (${bitsPerSecond / 1e9} Gbit/s, ${roundTripMilliseconds} ms round trip)`,
				against: 'size of the file',
				target: '≤ 1 % more',
				measured: `${((carried / size) * 100).toFixed(2)} % more: ${readableKilobytes(carried / cuts)} on their way at each cut`,
				ratio: (size + carried) / size,
				met: carried <= size / 100,
				figures: {
					bytesOnTheLine: line.bytesUp(),
					bytesGivenToConnections: Number(outputOf(execution, UPLOAD)[0]?.json.bytesSent),
				},
			},
		];
	},
};
