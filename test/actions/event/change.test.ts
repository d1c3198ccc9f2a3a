import { executeForJson, executeNode } from '../../execution/executeNode';
import { by } from '../../execution/locator';
import type { RunningService } from '../../fakeService';
import { serviceForEachTest } from '../../fakeService/serviceForEachTest';

/** Update, Start and End: the secret and the ID that they send are looked up (L4). */
let service: RunningService;
serviceForEachTest((started) => (service = started));

const secret = 'plan-secret-7Qm2';
const update = { resource: 'event', operation: 'update', title: 'New title' };
const requests = () => service.requests.map(({ operation }) => operation);

describe('Event → Update', () => {
	it('uses an event ID and a secret that the user entered, and lists nothing', async () => {
		const [event] = service.seedEvents(1);
		const options = { eventId: 4001, secret };
		const parameters = { ...update, event: by('hash', event?.hash ?? ''), options };
		// Nothing is looked up, so not even a plan is needed.
		await executeNode({ service, parameters, credential: { planId: '' } });
		expect(requests()).toEqual(['authenticate', 'eventUpdate']);
		const body = { title: 'New title', eventId: 4001, secret, hash: event?.hash };
		expect(service.requestsOf('eventUpdate')[0]?.body).toEqual(body);
	});

	it.each([
		['only the event ID', { eventId: 4001 }, ['eventSearchAll', 'eventSearchAll']],
		['only the secret', { secret }, ['eventSearchByHash']],
	])('looks up what is missing when %s is given', async (_what, options, lookups) => {
		const [event] = service.seedEvents(1);
		await executeNode({ service, parameters: { ...update, event: by('hash', event?.hash ?? ''), options } });
		expect(requests()).toEqual(['authenticate', ...lookups, 'eventUpdate']);
		expect(service.requestsOf('eventUpdate')[0]?.body).toMatchObject({ eventId: 4001, secret });
	});

	it('finds the ID in the list when the event by its hash has none', async () => {
		const events = service.seedEvents(350);
		const body = JSON.stringify({ hash: events[0]?.hash, title: 'Old title' });
		service.injectFault({ on: 'eventSearchByHash', kind: 'status', status: 200, body });
		await executeNode({ service, parameters: { ...update, event: by('hash', events[0]?.hash ?? '') } });
		expect(service.requestsOf('eventUpdate')[0]?.body).toMatchObject({ eventId: 4001, secret });
	});

	it('names the event that the plan does not have, and changes nothing', async () => {
		service.seedEvents(1);
		const run = executeNode({ service, parameters: { ...update, event: by('hash', 'nobody') } });
		await expect(run).rejects.toMatchObject({
			message: 'The plan plan-1001 has no event with the hash "nobody"',
			description: expect.stringContaining('under Options') as string,
			context: { itemIndex: 0 },
		});
		expect(service.requestsOf('eventUpdate')).toEqual([]);
	});

	it('of many items needs few requests besides those that update, each plan by itself', async () => {
		const events = service.seedEvents(
			[...Array(400).keys()].map((n) => ({ planId: n % 2 ? 'plan-1001' : 'plan-2002' })),
		);
		await executeNode({
			service,
			parameters: {
				...{ ...update, event: by('hash', '={{ $json.hash }}') },
				options: { planId: '={{ $json.planId }}' },
			},
			items: events.toReversed().map(({ hash, planId }) => ({ json: { hash, planId } })),
		});
		expect(service.state.events.every(({ title }) => title === 'New title')).toBe(true);
		expect(requests().filter((operation) => operation !== 'eventUpdate').length).toBeLessThanOrEqual(12);
	});

	it('reads the list again for the next item after a page could not be read', async () => {
		const hashes = service.seedEvents(2).map(({ hash }) => hash);
		service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 409, error: 'Not today' });
		const output = await executeForJson({
			service,
			parameters: { ...update, event: by('hash', '={{ $json.hash }}') },
			items: hashes.map((hash) => ({ json: { hash } })),
			onError: 'continueRegularOutput',
		});
		expect(output).toMatchObject([
			{ error: expect.stringMatching(/^Not today\./) as string },
			{ hash: hashes[1], title: 'New title' },
		]);
	});
});

describe.each([
	['start', 'LIVE'],
	['end', 'END'],
])('Event → %s', (operation, status) => {
	const change = (hash = '', options = {}) => ({
		...{ resource: 'event', operation, options },
		event: by('hash', hash),
	});

	it('uses a secret that the user entered, and lists nothing', async () => {
		const [event] = service.seedEvents(1);
		const parameters = change(event?.hash, { secret });
		const { hints } = await executeNode({ service, parameters, credential: { planId: '' } });
		expect(hints).toEqual([]);
		expect(requests()).toEqual(['authenticate', 'eventStartOrEnd']);
	});

	it('adds the fields of Extra Body, over those of the same name', async () => {
		const [event] = service.seedEvents(1);
		const other = status === 'LIVE' ? 'END' : 'LIVE';
		const extraBody = `{ "status": "${other}", "planId": "plan-1001" }`;
		await executeNode({ service, parameters: change(event?.hash, { secret, extraBody }) });
		expect(service.requestsOf('eventStartOrEnd')[0]?.body).toEqual({
			...{ hash: event?.hash, secret, status: other, planId: 'plan-1001' },
		});
	});

	it('shows the message of the service when the secret is wrong, but not the secret', async () => {
		const [event] = service.seedEvents(1);
		const run = executeNode({ service, parameters: change(event?.hash, { secret: 'wrong-secret' }) });
		await expect(run).rejects.toMatchObject({
			message: 'Invalid plan secret.',
			description: expect.stringContaining('option Secret') as string,
		});
		await expect(run).rejects.not.toThrow(/wrong-secret/);
		expect(service.state.events[0]?.status).toBe('WAITING_LIVE');
	});

	it('names the option for the secret when no event of the plan contains one', async () => {
		service.settings.plans['plan-1001'] = '';
		const [event] = service.seedEvents(1);
		await expect(executeNode({ service, parameters: change(event?.hash) })).rejects.toMatchObject({
			message: `No secret was found for the event "${event?.hash}"`,
			description: expect.stringContaining('option Secret') as string,
		});
		expect(service.requestsOf('eventStartOrEnd')).toEqual([]);
	});
});

it.each(['WAITING_LIVE', 'ON_DEMAND', 'LIVE'] as const)(
	'Event → End warns of an event that was not live: %s',
	async (status) => {
		const [event] = service.seedEvents([{ title: 'All-hands', status }]);
		const parameters = { resource: 'event', operation: 'end', event: by('hash', event?.hash ?? '') };
		const { hints } = await executeNode({ service, parameters });
		const message = `The event "All-hands" was not live when it was ended: its status was ${status}. Check its current status.`;
		expect(hints).toEqual(status === 'LIVE' ? [] : [{ message, type: 'warning', location: 'outputPane' }]);
		expect(service.requestsOf('eventSearchByHash')).toEqual([]);
	},
);
