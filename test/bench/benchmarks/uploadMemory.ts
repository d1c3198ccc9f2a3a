import { totalmem } from 'node:os';

import { step } from '../../n8n/progress';
import type { RunningN8n } from '../../n8n/instance';
import type { Benchmark, BenchmarkRun, Comparison } from '../benchmark';
import { median } from '../rounds';
import { gigabyte, mebibyte, megabyte, readableMebibytes, formatBytes } from '../units';
import { uploadByHand, uploadByNode, type UploadWorkflow } from '../uploadWorkflows';

const mostGrowth = 32 * mebibyte;

/** How much the memory of a real n8n grows with the size of an upload. */
export const uploadMemory: Benchmark = {
	id: 'upload-memory',
	async run({ bed, report, rounds, quick }) {
		const sizes = (quick ? [0.01, 0.1] : [0.1, 1, 4, 10]).map((gigabytes) => gigabytes * gigabyte);
		const { n8n, service, credential } = await bed.serviceInN8n();
		const place = { n8n, credential, baseUrl: service.credential.baseUrl };

		const warmUp = await uploadByNode(place, quick ? 0.1 * gigabyte : gigabyte);
		await peakGrowth(n8n, warmUp, 'Memory, warm-up', { report, rounds: 3 });
		const smallest = await uploadByNode(place, megabyte);
		const execution = await peakGrowth(n8n, smallest, 'Memory of an execution', { report, rounds });
		const ofExecution: Comparison = {
			what: `growth of n8n's peak memory (RSS), upload of ${formatBytes(megabyte)}`,
			against: 'what an execution takes in n8n itself; part of the figures below',
			target: 'reported',
			measured: measured(execution),
			figures: { bytes: execution },
		};
		const comparisons: Comparison[] = [];
		const growths: number[] = [];
		for (const size of sizes) {
			const node = await uploadByNode(place, size);
			const title = `Memory for ${formatBytes(size)}`;
			const ours = await peakGrowth(n8n, node, title, { report, rounds });
			growths.push(median(ours));
			comparisons.push({
				what: `growth of n8n's peak memory (RSS), upload of ${formatBytes(size)}`,
				against: 'HTTP Request node with its defaults, POST + PATCH by hand',
				target: '≤ 32 MiB',
				measured: measured(ours),
				met: median(ours) <= mostGrowth,
				figures: { bytes: ours },
			});
		}
		const spread = Math.max(...growths) - Math.min(...growths);
		comparisons.push({
			what: "growth of n8n's peak memory, largest less smallest",
			against: 'the sizes above',
			target: 'flat (≤ 32 MiB apart)',
			measured: readableMebibytes(spread),
			met: spread <= mostGrowth,
		});

		// Last, for the sake of what it leaves behind in n8n's heap.
		for (const [position, size] of sizes.entries()) {
			const comparison = comparisons[position];
			if (!comparison) continue;
			if (size > totalmem() / 4) {
				comparison.measured += ` against no figure: a node that buffers ${formatBytes(size)} could take this machine's memory`;
				continue;
			}
			const byHand = await uploadByHand(place, size);
			const title = `Memory for ${formatBytes(size)} by HTTP Request`;
			const [theirs = NaN] = await peakGrowth(n8n, byHand, title, { report, rounds: 1 });
			const ours = growths[position] ?? NaN;
			comparison.measured += ` against ${readableMebibytes(theirs)}`;
			comparison.ratio = ours / theirs;
			comparison.figures = { ...comparison.figures, httpRequestBytes: theirs };
		}
		return [ofExecution, ...comparisons];
	},
};

/** The most is shown as well: what n8n does by itself meanwhile is in every round, in some of them more. */
function measured(growths: number[]): string {
	return `${readableMebibytes(median(growths))} (at most ${readableMebibytes(Math.max(...growths))})`;
}

/** By how many bytes n8n's resident memory was higher during the execution than before it, in each round. */
async function peakGrowth(
	n8n: RunningN8n,
	workflow: UploadWorkflow,
	title: string,
	{ report, rounds }: Pick<BenchmarkRun, 'report' | 'rounds'>,
): Promise<number[]> {
	const growths: number[] = [];
	for (let round = 1; round <= rounds; round++) {
		await step(report, `${title}: round ${round} of ${rounds}`, async () => {
			n8n.forgetPeakRss();
			const { rss } = n8n.memory();
			await workflow.run();
			growths.push(n8n.memory().peakRss - rss);
		});
	}
	return growths;
}
