import { step } from '../../n8n/progress';
import { outputOf } from '../../n8n/execution';
import type { Benchmark } from '../benchmark';
import { gigabyte, megabyte, readableMebibytes, readableSize } from '../units';
import { uploadByNode, uploadNode } from '../uploadWorkflows';

const cuts = 10;

/** What an upload costs whose connection breaks again and again: bytes that the service had, and bytes on their way. */
export const uploadCuts: Benchmark = {
	id: 'upload-cuts',
	async run({ bed, report, quick }) {
		const size = quick ? 100 * megabyte : gigabyte;
		const { n8n, service, credential } = await bed.serviceInN8n();
		const node = await uploadByNode({ n8n, credential, baseUrl: service.credential.baseUrl }, size);
		await service.remote.order({
			kind: 'reset',
			on: 'uploadPatch',
			afterBytes: Math.floor(size / (cuts + 1)),
			times: cuts,
		});
		const title = `${readableSize(size)} with ${cuts} cuts`;
		const execution = await step(report, title, async () => await node.run());

		const { uploads } = await service.remote.state();
		const upload = uploads.at(-1);
		const patches = (await service.remote.requests('uploadPatch')).length;
		if (!upload?.complete || patches !== cuts + 1) {
			throw new Error(`The upload took ${patches} requests instead of ${cuts + 1}, or is not complete`);
		}
		const sentAgain = upload.bytesReceived - size;
		const sent = Number(outputOf(execution, uploadNode)[0]?.json.bytesSent);
		const overhead = (sent - size) / size;
		return [
			{
				what: `bytes sent again after ${cuts} cuts of a ${readableSize(size)} upload`,
				against: 'bytes the service had acknowledged',
				target: '0',
				measured: String(sentAgain),
				met: sentAgain === 0,
				figures: { bytesReceived: upload.bytesReceived, size },
			},
			{
				what: `all bytes handed to connections in that upload`,
				against: 'the size of the file',
				target: '≤ 1 % more',
				measured: `${(overhead * 100).toFixed(2)} % more (${readableMebibytes((sent - size) / cuts)} on their way at each cut)`,
				ratio: sent / size,
				met: overhead <= 0.01,
				figures: { bytesSent: sent },
			},
		];
	},
};
