import type { LiveEvent } from '../../fakeService';
import { httpRequest, videoHosting } from '../../n8n/workflow';
import { compare, readableSeconds } from '../measure';
import type { Benchmark } from '../testBed';
import { executionTime, storedWorkflow, withHeaders } from '../workflows';

const NODE = 'Measured';

/** Many items through Event → Get, in a real n8n. */
export const eventGet: Benchmark = async ({ bed, rounds, quick }) => {
	const count = quick ? 50 : 1_000;
	const { n8n, service, credential } = await bed.serviceInN8n();
	const { baseUrl, planId } = service.credential;
	const events = await service.control<LiveEvent[]>('POST', 'seeds', { events: count });
	const items = events.map(({ hash }) => ({ json: { hash } }));
	const parameters = {
		...{ resource: 'event', operation: 'get' },
		event: { __rl: true, mode: 'hash', value: '={{ $json.hash }}' },
	};
	const node = videoHosting(NODE, credential, parameters);
	const get = await storedWorkflow(n8n, 'Event Get', items, [node]);
	const url = `=${baseUrl}/v1/events/searchByHash?planId=${planId}&hash={{ $json.hash }}`;
	const headers = { Accept: 'application/json', 'Content-Type': 'application/json' };
	const request = httpRequest(NODE, credential, { url, ...withHeaders(headers) });
	const byHand = await storedWorkflow(n8n, 'Event by HTTP Request', items, [request]);
	const requests: number[] = [];
	const sides = {
		ours: async () => {
			await service.control('DELETE', 'requests');
			const time = executionTime(await get());
			requests.push((await service.control<unknown[]>('GET', 'requests')).length);
			return time;
		},
		theirs: async () => executionTime(await byHand()),
	};
	const compared = {
		what: `${count} × Event → Get`,
		against: 'HTTP Request node, same n8n',
		target: '≤ 0.75 × its time, ≤ 1 request per item',
		inReadme: 'Time of 1,000 × Event → Get',
	};
	const times = await compare(rounds, compared, sides, readableSeconds, (_ours, ratio) => ratio <= 0.75);
	const most = Math.max(...requests.slice(1));
	const measured = `${times.measured}; ${most / count} requests per item`;
	return [{ ...times, measured, met: times.met && most <= count }];
};
