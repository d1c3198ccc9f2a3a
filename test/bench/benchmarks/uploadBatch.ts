import type { INodeExecutionData } from 'n8n-workflow';

import { upload } from '../../n8n/workflow';
import { compare, megabyte, readableSeconds } from '../measure';
import type { Benchmark } from '../testBed';
import { executionTime, storedWorkflow, storeSparseFile } from '../workflows';

const lagMilliseconds = 5_000;

/** Many small files in one run, where the service lists a video only some time after its upload. */
export const uploadBatch: Benchmark = async ({ bed, rounds, quick }) => {
	const count = quick ? 5 : 100;
	const { n8n, credential } = await bed.serviceInN8n({ videoAppearsAfterMs: lagMilliseconds });
	const data = storeSparseFile(n8n.userFolder, megabyte);
	const items = Array.from({ length: count }, (): INodeExecutionData => ({ json: {}, binary: { data } }));
	const batch = async (returnVideo: boolean) => {
		// Names that no earlier run has used: each video is looked up by name.
		const fileName = '={{ $execution.id }}-{{ $itemIndex }}.mp4';
		const name = `Batch of ${count}, Return Video ${returnVideo ? 'on' : 'off'}`;
		const node = upload(credential, { fileName, options: { returnVideo } });
		const run = await storedWorkflow(n8n, name, items, [node]);
		return async () => {
			const runs = await run();
			const videos = runs[0]?.data?.main?.[0]?.filter(({ json }) => json.video).length;
			if (videos !== (returnVideo ? count : 0)) throw new Error(`${name}: ${videos} items have a video`);
			return executionTime(runs);
		};
	};
	const [withVideos, alone] = [await batch(true), await batch(false)];
	const compared = {
		what: `${count} files of 1 MB with Return Video; videos are listed after ${lagMilliseconds / 1000} s`,
		against: 'the uploads alone + the lag',
		target: '≤ 1.2',
	};
	const sides = { ours: withVideos, theirs: async () => (await alone()) + lagMilliseconds };
	return [await compare(rounds, compared, sides, readableSeconds, (_ours, ratio) => ratio <= 1.2)];
};
