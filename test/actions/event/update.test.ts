import { executeNode } from '../../execution/executeNode';
import { by } from '../../execution/locator';
import { withKnownPaging } from '../../execution/knownPaging';
import type { RunningService } from '../../fakeService';
import { serviceForEachTest } from '../../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = withKnownPaging(started)));

const update = { resource: 'event', operation: 'update', title: 'New title' };
const secret = 'plan-secret-7Qm2';

describe('Event → Update', () => {
	it('uses an event ID and a secret that the user entered, and lists nothing', async () => {
		const [event] = service.seedEvents(1);
		await executeNode({
			service,
			parameters: {
				...update,
				event: by('hash', event?.hash ?? ''),
				options: { eventId: 4001, secret },
			},
			// Nothing is looked up, so not even a plan is needed.
			credential: { planId: '' },
		});
		expect(service.requests.map(({ operation }) => operation)).toEqual(['authenticate', 'eventUpdate']);
		expect(service.requestsOf('eventUpdate')[0]?.body).toEqual({
			title: 'New title',
			eventId: 4001,
			secret,
			hash: event?.hash,
		});
	});

	it.each([
		['only the event ID', { eventId: 4001 }, 'eventSearchAll'],
		['only the secret', { secret }, 'eventSearchByHash'],
	] as const)('looks up what is missing when %s is given', async (_what, options, lookup) => {
		const [event] = service.seedEvents(1);
		await executeNode({ service, parameters: { ...update, event: by('hash', event?.hash ?? ''), options } });
		expect(service.requestsOf(lookup)).toHaveLength(1);
		expect(service.requestsOf('eventUpdate')[0]?.body).toMatchObject({ eventId: 4001, secret });
	});

	it('finds the ID in the list when the event by its hash has none', async () => {
		const events = service.seedEvents(250);
		const body = JSON.stringify({ hash: events[0]?.hash, title: 'Old title' });
		service.injectFault({ on: 'eventSearchByHash', kind: 'status', status: 200, body });
		await executeNode({ service, parameters: { ...update, event: by('hash', events[0]?.hash ?? '') } });
		expect(service.requestsOf('eventUpdate')[0]?.body).toMatchObject({ eventId: 4001, secret });
		expect(service.requestsOf('eventSearchAll')).toHaveLength(3);
	});

	it('names the event that the plan does not have, and changes nothing', async () => {
		service.seedEvents(1);
		await expect(
			executeNode({ service, parameters: { ...update, event: by('hash', 'nobody') } }),
		).rejects.toMatchObject({
			message: 'The plan plan-1001 has no event with the hash "nobody"',
			description: expect.stringContaining('under Options') as string,
			context: { itemIndex: 0 },
		});
		expect(service.requestsOf('eventUpdate')).toEqual([]);
	});
});

describe('Event → Update of many items', () => {
	const items = (hashes: string[]) => hashes.map((hash) => ({ json: { hash } }));
	const parameters = { ...update, event: by('hash', '={{ $json.hash }}') };

	it('lists each plan at most once', async () => {
		const events = service.seedEvents(
			[...Array(30).keys()].map((n) => ({ planId: n % 2 ? 'plan-1001' : 'plan-2002' })),
		);
		await executeNode({
			service,
			parameters: { ...parameters, options: { planId: '={{ $json.planId }}' } },
			items: events.map(({ hash, planId }) => ({ json: { hash, planId } })),
		});
		expect(service.requestsOf('eventUpdate')).toHaveLength(30);
		expect(service.requestsOf('eventSearchAll').map(({ query }) => query.planId)).toEqual([
			'plan-2002',
			'plan-1001',
		]);
	});

	it('finds an event that a service which ignores the page number returns only on a larger page', async () => {
		service.settings.pageNumberIgnored = true;
		const event = service.seedEvents(250).at(-1);
		await executeNode({ service, parameters, items: items([event?.hash ?? '']) });
		expect(service.state.events.at(-1)?.title).toBe('New title');
	});

	it('does not list again for hashes that the plan does not have', async () => {
		service.seedEvents(2);
		const run = await executeNode({
			service,
			parameters,
			items: items(['a', 'b', 'c', 'd']),
			onError: 'continueRegularOutput',
		});
		expect(run.items.map(({ json }) => json.error)).toEqual(
			['a', 'b', 'c', 'd'].map(
				(hash) =>
					`The plan plan-1001 has no event with the hash "${hash}". Check Event and Plan ID, or enter the event ID and the secret under Options.`,
			),
		);
		// The second page is empty: the end of the list.
		expect(service.requestsOf('eventSearchAll').map(({ query }) => query.actualPage)).toEqual(['1', '2']);
	});

	it('reads the list again for the next item after a failure', async () => {
		const hashes = service.seedEvents(2).map(({ hash }) => hash);
		service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 409, error: 'Not today' });
		const run = await executeNode({
			service,
			parameters,
			items: items(hashes),
			onError: 'continueRegularOutput',
		});
		expect(run.items[0]?.json.error).toMatch(/^Not today\./);
		expect(run.items[1]?.json).toMatchObject({ hash: hashes[1], title: 'New title' });
	});
});
