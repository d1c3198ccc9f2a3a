import { step } from '../../n8n/progress';
import { videoHosting } from '../../n8n/workflow';
import type { Benchmark } from '../benchmark';
import { storedWorkflow } from '../workflows';

const pageSize = 100;
const lookupsPerPage = 3;

/** Many items through Event → Update, in a real n8n: how often the plan secret and the event IDs are looked up. */
export const eventUpdate: Benchmark = {
	id: 'event-update',
	async run({ bed, report, quick }) {
		const count = quick ? 50 : 1_000;
		const { n8n, service, credential } = await bed.serviceInN8n();
		const events = await service.remote.seedEvents(count);
		const update = await storedWorkflow(
			n8n,
			'Event Update',
			events.map(({ hash }) => ({ json: { hash } })),
			[
				videoHosting('Measured', credential, {
					...{ resource: 'event', operation: 'update', title: '=New title of {{ $json.hash }}' },
					event: { __rl: true, mode: 'hash', value: '={{ $json.hash }}' },
				}),
			],
		);
		await step(report, `${count} × Event → Update`, async () => await update());

		const requests = await service.remote.requests();
		const updates = requests.filter(({ operation }) => operation === 'eventUpdate').length;
		const lookups = requests.filter(
			({ operation }) => operation !== 'eventUpdate' && operation !== 'authenticate',
		);
		if (updates !== count) throw new Error(`${updates} events were updated instead of ${count}`);
		const most = lookupsPerPage * Math.ceil(count / pageSize);
		return [
			{
				what: `lookups for ${count} × Event → Update`,
				against: '–',
				target: `≤ ${lookupsPerPage} per page of ${pageSize} events of the plan`,
				measured: `${names(lookups)} besides ${updates} updates`,
				met: lookups.length <= most,
				figures: { lookupRequests: lookups.length, updates },
			},
		];
	},
};

function names(requests: Array<{ operation: string }>): string {
	const counts = new Map<string, number>();
	for (const { operation } of requests) counts.set(operation, (counts.get(operation) ?? 0) + 1);
	return [...counts].map(([name, count]) => `${count} × ${name}`).join(', ');
}
