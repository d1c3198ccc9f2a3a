import type { INodeExecutionData } from 'n8n-workflow';

import { outputOf } from '../../n8n/execution';
import { UPLOAD, upload } from '../../n8n/workflow';
import type { Benchmark } from '../benchmark';
import { inTurns, median } from '../rounds';
import { storeSparseFile } from '../storedFile';
import { megabyte } from '../units';
import { executionTime, storedWorkflow } from '../workflows';

const lagMilliseconds = 5_000;

/** Many small files in one run, where the service lists a video only some time after its upload. */
export const uploadBatch: Benchmark = {
	id: 'upload-batch',
	async run({ bed, report, rounds, quick }) {
		const count = quick ? 5 : 100;
		const { n8n, credential } = await bed.serviceInN8n({ videoAppearsAfterMs: lagMilliseconds });
		const data = storeSparseFile(n8n.userFolder, megabyte);
		const items = Array.from({ length: count }, (): INodeExecutionData => ({ json: {}, binary: { data } }));
		const batch = async (returnVideo: boolean) => {
			const node = upload(credential, {
				// Names that no earlier run has used: each video is looked up by name.
				fileName: '={{ $execution.id }}-{{ $itemIndex }}.mp4',
				options: { returnVideo },
			});
			const name = `Batch of ${count}, Return Video ${returnVideo ? 'on' : 'off'}`;
			const run = await storedWorkflow(n8n, name, items, [node]);
			return async () => {
				const execution = await run();
				const videos = outputOf(execution, UPLOAD).filter(({ json }) => json.video).length;
				const expected = returnVideo ? count : 0;
				if (videos !== expected) throw new Error(`${name}: ${videos} items have a video`);
				return executionTime(execution, UPLOAD);
			};
		};
		const times = await inTurns({ rounds, report }, `${count} files of 1 MB in n8n`, {
			uploadsAlone: await batch(false),
			withVideos: await batch(true),
		});
		const alone = median(times.uploadsAlone);
		const withVideos = median(times.withVideos);
		const ratio = Number((withVideos / (alone + lagMilliseconds)).toFixed(2));
		return [
			{
				what: `${count} files of 1 MB with Return Video; videos are listed after ${lagMilliseconds / 1000} s`,
				against: 'the uploads alone + the lag',
				target: '≤ 1.2',
				measured: `${seconds(withVideos)} against ${seconds(alone)} + ${seconds(lagMilliseconds)}`,
				ratio,
				met: ratio <= 1.2,
				figures: times,
			},
		];
	},
};

function seconds(milliseconds: number): string {
	return `${(milliseconds / 1000).toFixed(1)} s`;
}
