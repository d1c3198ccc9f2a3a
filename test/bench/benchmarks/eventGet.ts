import { videoHosting } from '../../n8n/workflow';
import type { Benchmark } from '../benchmark';
import { inTurns, median, ratioOf } from '../rounds';
import { readableSeconds } from '../units';
import { executionTime, httpRequest, storedWorkflow } from '../workflows';

const node = 'Measured';

/** Many items through Event → Get, in a real n8n. */
export const eventGet: Benchmark = {
	id: 'event-get',
	async run({ bed, report, rounds, quick }) {
		const count = quick ? 50 : 1_000;
		const { n8n, service, credential } = await bed.serviceInN8n();
		const { baseUrl, planId } = service.credential;
		const events = await service.remote.seedEvents(count);
		const items = events.map(({ hash }) => ({ json: { hash } }));

		const measured = videoHosting(node, credential, {
			...{ resource: 'event', operation: 'get' },
			event: { __rl: true, mode: 'hash', value: '={{ $json.hash }}' },
		});
		const get = await storedWorkflow(n8n, 'Event Get', items, [measured]);
		const url = `=${baseUrl}/v1/events/searchByHash?planId=${planId}&hash={{ $json.hash }}`;
		const headers = { Accept: 'application/json', 'Content-Type': 'application/json' };
		const request = httpRequest(node, credential, { method: 'GET', url, headers });
		const byHand = await storedWorkflow(n8n, 'Event by HTTP Request', items, [request]);
		const requests: number[] = [];
		const times = await inTurns({ rounds, report }, `${count} × Event → Get`, {
			ours: async () => {
				await service.remote.clearRequests();
				const time = executionTime(await get(), node);
				requests.push((await service.remote.requests()).length);
				return time;
			},
			httpRequest: async () => executionTime(await byHand(), node),
		});
		const ours = median(times.ours);
		const theirs = median(times.httpRequest);
		const perItem = Math.max(...requests.slice(1)) / count;
		const figures = Object.fromEntries(
			Object.entries(times).map(([side, ms]) => [`${side}Milliseconds`, ms]),
		);
		return [
			{
				what: `${count} × Event → Get`,
				against: 'HTTP Request node, same n8n',
				target: '≤ 1.1 × its time',
				measured: `${readableSeconds(ours)} against ${readableSeconds(theirs)}`,
				ratio: ratioOf(ours, theirs),
				met: ratioOf(ours, theirs) <= 1.1,
				figures,
			},
			{
				what: `requests of ${count} × Event → Get`,
				against: '–',
				target: '≤ 1 per item',
				measured: `${perItem} per item`,
				met: perItem <= 1,
				figures: { requests: requests.slice(1) },
			},
		];
	},
};
