import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import type { UploadWorkflow } from './workflows';

/** @returns the 99th percentile, in milliseconds, of n8n's response times while the nodes that upload run */
export async function responseTimes(url: string, workflow: UploadWorkflow): Promise<number> {
	const agent = new Agent({ keepAlive: true, maxSockets: 1 });
	const times: Array<{ at: number; milliseconds: number }> = [];
	const ended = new AbortController();
	const execution = workflow.run().finally(() => ended.abort());
	while (!ended.signal.aborted) {
		const at = Date.now();
		times.push({ at, milliseconds: await responseTime(`${url}/healthz`, agent) });
		await sleep(5);
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
