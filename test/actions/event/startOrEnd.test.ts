import { executeNode } from '../../execution/executeNode';
import { by } from '../../execution/locator';
import { withKnownPaging } from '../../execution/knownPaging';
import type { RunningService } from '../../fakeService';
import { serviceForEachTest } from '../../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = withKnownPaging(started)));

const secret = 'plan-secret-7Qm2';

describe.each([
	['start', 'LIVE'],
	['end', 'END'],
])('Event → %s', (operation, sentStatus) => {
	const parameters = { resource: 'event', operation };

	it('uses a secret that the user entered, and lists nothing', async () => {
		const [event] = service.seedEvents(1);
		const { hints } = await executeNode({
			service,
			parameters: { ...parameters, event: by('hash', event?.hash ?? ''), options: { secret } },
			credential: { planId: '' },
		});
		expect(hints).toEqual([]);
		expect(service.requests.map(({ operation: name }) => name)).toEqual(['authenticate', 'eventStartOrEnd']);
	});

	it('adds the fields of Extra Body, over those of the same name', async () => {
		service.settings.startOrEndActionField = 'action';
		const [event] = service.seedEvents(1);
		await executeNode({
			service,
			parameters: {
				...parameters,
				event: by('hash', event?.hash ?? ''),
				options: { secret, extraBody: `{ "action": "${sentStatus}", "status": 7, "planId": "plan-1001" }` },
			},
		});
		expect(service.requestsOf('eventStartOrEnd')[0]?.body).toEqual({
			hash: event?.hash,
			secret,
			status: 7,
			action: sentStatus,
			planId: 'plan-1001',
		});
	});

	it('shows the error message of the service when the secret is wrong, but not the secret', async () => {
		const [event] = service.seedEvents(1);
		const run = executeNode({
			service,
			parameters: {
				...parameters,
				event: by('hash', event?.hash ?? ''),
				options: { secret: 'wrong-secret' },
			},
		});
		await expect(run).rejects.toMatchObject({
			message: 'Invalid plan secret.',
			description: expect.stringMatching(/^Check the option Secret, or leave it empty/),
		});
		await expect(run).rejects.not.toThrow(/wrong-secret/);
		expect(service.state.events[0]?.status).toBe('WAITING_LIVE');
	});

	it('names the option for the secret when no event of the plan contains one', async () => {
		service.settings.plans['plan-1001'] = '';
		const [event] = service.seedEvents(1);
		await expect(
			executeNode({ service, parameters: { ...parameters, event: by('hash', event?.hash ?? '') } }),
		).rejects.toMatchObject({
			message: `No secret was found for the event "${event?.hash}"`,
			description: expect.stringContaining('option Secret') as string,
		});
		expect(service.requestsOf('eventStartOrEnd')).toEqual([]);
	});
});

describe('The secret of an event', () => {
	const start = (hash = '') => ({
		resource: 'event',
		operation: 'start',
		planId: '',
		event: by('hash', hash),
	});
	const statuses = () => service.requestsOf('eventStartOrEnd').map(({ status }) => status);

	it.each([
		['oldest', 0],
		['newest', 1_999],
	])('is looked up on one page for the %s of many, though later pages fail', async (_which, index) => {
		const events = service.seedEvents(2_000);
		service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 500, skip: 2, times: 99 });
		await executeNode({ service, parameters: start(events[index]?.hash) });
		expect(service.state.events[index]?.status).toBe('LIVE');
		expect(service.requests.map(({ operation }) => operation)).toEqual([
			...['authenticate', 'eventSearchAll', 'eventSearchAll', 'eventStartOrEnd'],
		]);
	});

	/** The newest event carries another secret than the rest of the plan. */
	const withOtherSecret = (other: string) => {
		const events = service.seedEvents(250);
		const body = JSON.stringify([{ ...events.at(-1), secret: other }]);
		service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 200, body });
		return events;
	};

	it('is the own one of the event when the service refuses that of another', async () => {
		const events = withOtherSecret('secret-of-another');
		await executeNode({ service, parameters: start(events[0]?.hash) });
		// A rejected token is renewed once as well.
		expect(new Set(statuses())).toEqual(new Set([403, 200]));
		expect(statuses().at(-1)).toBe(200);
		expect(service.requestsOf('eventStartOrEnd').at(-1)?.body).toMatchObject({ secret });
	});

	it('is not looked for further after another refusal, which is reported', async () => {
		const events = withOtherSecret(secret);
		service.injectFault({ on: 'eventStartOrEnd', kind: 'status', status: 409, error: 'Already live' });
		const run = executeNode({ service, parameters: start(events[0]?.hash) });
		await expect(run).rejects.toThrow(/^Already live/);
		expect(statuses()).toEqual([409]);
		expect(service.requestsOf('eventSearchAll').length).toBeLessThanOrEqual(2);
	});
});

describe('Event → End for an event that was not live', () => {
	const end = { resource: 'event', operation: 'end' };

	it.each(['WAITING_LIVE', 'ON_DEMAND', 'LIVE'] as const)('warns unless it was live: %s', async (status) => {
		const [event] = service.seedEvents([{ title: 'All-hands', status }]);
		const { hints } = await executeNode({
			service,
			parameters: { ...end, event: by('hash', event?.hash ?? '') },
		});
		const message = `The event "All-hands" was not live when it was ended: its status was ${status}. Check its current status.`;
		expect(hints).toEqual(status === 'LIVE' ? [] : [{ message, type: 'warning', location: 'outputPane' }]);
		expect(service.requestsOf('eventSearchByHash')).toEqual([]);
		expect(service.requestsOf('eventSearchAll')).toHaveLength(1);
	});
});
