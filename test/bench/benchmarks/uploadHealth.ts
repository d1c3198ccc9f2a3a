import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { step } from '../../n8n/progress';
import type { Benchmark } from '../benchmark';
import { median } from '../rounds';
import { formatBytes, gigabyte, megabyte } from '../units';
import { uploadByHand, uploadByNode, type UploadWorkflow } from '../uploadWorkflows';

const mostMilliseconds = 20;

const pauseMilliseconds = 5;

/** How fast n8n responds to others while it uploads: its engine, editor and webhooks share one thread with the node. */
export const uploadHealth: Benchmark = {
	id: 'upload-health',
	async run({ bed, report, rounds, quick }) {
		const size = quick ? 100 * megabyte : 2 * gigabyte;
		const { n8n, service, credential } = await bed.serviceInN8n();
		const place = { n8n, credential, baseUrl: service.credential.baseUrl };
		const node = await uploadByNode(place, size);
		const ours: number[] = [];
		for (let round = 0; round <= rounds; round++) {
			const title = `/healthz during ${formatBytes(size)}: ${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`}`;
			const figure = await step(report, title, async () => await responseTimes(n8n.url, node));
			if (round > 0) ours.push(figure);
		}
		const byHand = await uploadByHand(place, size);
		const theirs = await step(
			report,
			`/healthz during ${formatBytes(size)} by HTTP Request`,
			async () => await responseTimes(n8n.url, byHand),
		);
		return [
			{
				what: `/healthz of n8n during an upload of ${formatBytes(size)}, 99th percentile`,
				against: 'HTTP Request node, POST + PATCH by hand',
				target: `≤ ${mostMilliseconds} ms`,
				measured: `${median(ours).toFixed(1)} ms against ${theirs.toFixed(1)} ms`,
				ratio: Number((median(ours) / theirs).toFixed(2)),
				met: median(ours) <= mostMilliseconds,
				figures: { milliseconds: ours, httpRequestMilliseconds: theirs },
			},
		];
	},
};

/** @returns the 99th percentile, in milliseconds, of n8n's response times while the nodes that upload run */
async function responseTimes(url: string, workflow: UploadWorkflow): Promise<number> {
	const agent = new Agent({ keepAlive: true, maxSockets: 1 });
	const times: Array<{ at: number; milliseconds: number }> = [];
	const ended = new AbortController();
	const execution = workflow.run().finally(() => ended.abort());
	while (!ended.signal.aborted) {
		const at = Date.now();
		times.push({ at, milliseconds: await responseTime(`${url}/healthz`, agent) });
		await sleep(pauseMilliseconds);
	}
	agent.destroy();
	const { from, to } = workflow.span(await execution);
	const during = times.filter(({ at }) => at >= from && at <= to).map(({ milliseconds }) => milliseconds);
	during.sort((a, b) => a - b);
	return during[Math.ceil(during.length * 0.99) - 1] ?? NaN;
}

async function responseTime(url: string, agent: Agent): Promise<number> {
	const started = performance.now();
	await new Promise<void>((resolve, reject) => {
		get(url, { agent }, (response) => {
			response.resume().once('end', resolve);
		}).once('error', reject);
	});
	return performance.now() - started;
}
