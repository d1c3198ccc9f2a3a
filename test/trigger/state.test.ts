import { randomUUID } from 'node:crypto';

import { clockAhead, HOUR_MS } from '../execution/clock';
import { activeTrigger } from '../execution/pollNode';
import type { LiveEvent } from '../fakeService';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { beginPoll, hashesOf, polls, watching } from './polling';

let events: LiveEvent[];
serviceForEachTest({ pageSizeCap: 10 });
beforeEach(() => (events = service.seedEvents(35)));

/** The events at these places go live; returns their hashes. */
const goLive = (...places: number[]) =>
	places.map((place) => {
		service.setEventStatus(events[place]?.hash ?? '', 'LIVE');
		return events[place]?.hash;
	});

it('The state is plain JSON in the static data of the node, without a secret', async () => {
	const stored = (await watching()).staticData();
	expect(Object.keys(JSON.parse(stored) as object)).toEqual(['node:Video Hosting Trigger']);
	for (const { hash } of events) expect(stored).toContain(hash);
	for (const secret of [...service.secrets, service.credential.applicationId])
		expect(stored).not.toContain(secret);
});

it('A poll that cannot read the last page fails and leaves the state as it was', async () => {
	const trigger = await watching();
	const before = trigger.staticData();
	goLive(0, 33);
	service.injectFault({ kind: 'status', on: 'eventSearchAll', status: 500, error: '', skip: 4, times: 9 });
	await expect(trigger.poll()).rejects.toThrow();
	expect(trigger.staticData()).toBe(before);
});

const workflowId = randomUUID();
it('A poll that begins while another one runs is skipped without a request', async () => {
	const trigger = await watching({}, { workflowId });
	const { running } = await beginPoll(trigger);
	const requests = service.requests.length;
	expect(await trigger.poll()).toBeNull();
	expect(service.requests).toHaveLength(requests);
	await running;
});

it('A poll reports alone what one that still runs has read too, where the workflow was published again meanwhile', async () => {
	const trigger = await watching({}, { workflowId });
	const changed = goLive(8);
	const { running } = await beginPoll(trigger);
	const saved = trigger.saved();
	const again = await activeTrigger({ service, workflowId, staticData: saved });
	expect(hashesOf(await again.poll())).toEqual(changed);
	expect(await running).toBeNull();
	expect(trigger.saved()).toEqual(saved);
});

it.each([
	['with other settings', { workflowId, parameters: { toStatus: ['LIVE'] } }],
	['of another workflow', {}],
])('A poll is not skipped by a trigger %s while another one runs', async (_which, setup) => {
	const { running } = await beginPoll(await watching({}, { workflowId }));
	const other = await watching({}, setup);
	const changed = goLive(8);
	expect(hashesOf(await other.poll())).toEqual(changed);
	await running;
});

it.each([
	[23, 'are the same ones', 0],
	[25, 'are new ones', 35],
])('Events of which none was listed for %i hours %s', async (hours, _what, created) => {
	const trigger = await watching({ triggerOn: 'eventCreated' });
	const missing = service.state.events.splice(0);
	expect(await trigger.poll()).toBeNull();
	await clockAhead(hours * HOUR_MS, async () => {
		expect(await trigger.poll()).toBeNull();
		service.state.events.push(...missing);
		expect(await polls(trigger, 2)).toHaveLength(created);
	});
});
