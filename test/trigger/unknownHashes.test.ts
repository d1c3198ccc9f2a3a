import { randomUUID } from 'node:crypto';

import { activeTrigger, fetchTestEvent } from '../execution/pollNode';
import type { LiveEvent, RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
let events: LiveEvent[];
let hashes: string[];

serviceForEachTest((started) => {
	service = started;
	events = service.seedEvents(3);
	hashes = events.map(({ hash }) => hash);
});

const watching = (watched: string[]) => ({ service, parameters: { options: { events: watched } } });
const remove = (event: LiveEvent | undefined) =>
	(service.state.events = service.state.events.filter((each) => each !== event));
const warnings = ({ log }: { log: string[] }) => log.filter((line) => line.startsWith('warn'));

describe('a hash in Event Names or IDs that the service does not know', () => {
	it.each([
		['activation', async (watched: string[]) => await (await activeTrigger(watching(watched))).poll()],
		['a manual test', async (watched: string[]) => await fetchTestEvent(watching(watched))],
	])('is an error of %s that names it, and no other hash', async (_when, run) => {
		const failure: unknown = await run([...hashes, 'gone-1', 'gone-2']).catch((error: unknown) => error);
		expect(failure).toMatchObject({
			message: expect.stringMatching(/Event Names or IDs: "gone-1", "gone-2"\. /) as string,
		});
		for (const hash of hashes) expect(String(failure)).not.toContain(hash);
	});

	it('is named when the service knows none', async () => {
		const trigger = await activeTrigger(watching(['gone-1', 'gone-2']));
		const failure = {
			message: expect.stringMatching(/"gone-1", "gone-2"\. Event not found/) as string,
			description: expect.stringMatching(/^It may have been deleted/) as string,
		};
		await expect(trigger.poll()).rejects.toMatchObject(failure);
		await expect(trigger.poll()).rejects.toMatchObject(failure);
	});

	it.each(['null', '[]', '{"data":null}'])('is named when the response is "%s"', async (body) => {
		service.injectFault({ on: 'eventSearchByHash', kind: 'status', status: 200, body, skip: 1 });
		const trigger = await activeTrigger(watching(hashes));
		const unknown = [...hashes].sort()[1] ?? '';
		await expect(trigger.poll()).rejects.toThrow(`Event Names or IDs: "${unknown}".`);
	});

	it.each(['{"name":"ServiceException","message":"Try later"}', '{"data":null,"errors":[{"name":"X"}]}'])(
		'is not meant by an error that comes with status 200: %s',
		async (body) => {
			const trigger = await activeTrigger({
				...{ service, parameters: { triggerOn: 'eventUpdated', options: { events: hashes } } },
			});
			await trigger.poll();
			service.injectFault({ on: 'eventSearchByHash', kind: 'status', status: 200, body });
			await expect(trigger.poll()).rejects.not.toThrow('Event Names or IDs');
			expect(await trigger.poll()).toBeNull();
		},
	);

	it('is no error when the whole plan is unknown: the Plan ID is', async () => {
		const parameters = { options: { planId: 'plan-0', events: hashes } };
		const trigger = await activeTrigger({ service, parameters });
		await expect(trigger.poll()).rejects.toThrow('Plan not found ("plan-0").');
	});
});

describe('a watched event that is deleted', () => {
	it('is named in one warning, and the others are watched on', async () => {
		const trigger = await activeTrigger(watching(hashes));
		await trigger.poll();
		remove(events[0]);
		for (const event of events.slice(1)) {
			service.setEventStatus(event.hash, 'LIVE');
			expect(await trigger.poll()).toMatchObject([{ hash: event.hash }]);
		}
		expect(warnings(trigger)).toEqual([expect.stringContaining(`"${hashes[0]}"`)]);
	});

	it('is named again when it is deleted again', async () => {
		const trigger = await activeTrigger(watching(hashes));
		await trigger.poll();
		for (let times = 1; times <= 2; times++) {
			remove(events[0]);
			await trigger.poll();
			service.state.events.push(...events.slice(0, 1));
			await trigger.poll();
		}
		expect(warnings(trigger)).toHaveLength(2);
	});

	it('does not keep the workflow from being activated after a restart', async () => {
		const before = await activeTrigger(watching(hashes));
		await before.poll();
		remove(events[0]);
		const trigger = await activeTrigger({ ...watching(hashes), staticData: before.saved() });
		service.setEventStatus(hashes[1] ?? '', 'LIVE');
		expect(await trigger.poll()).toMatchObject([{ hash: hashes[1] }]);
		expect(warnings(trigger)).toHaveLength(1);
	});

	it('is named once although each poll has a context of its own and reads a part of the hashes', async () => {
		const workflowId = randomUUID();
		const first = await activeTrigger({ ...watching(hashes), workflowId });
		await first.poll();
		let staticData = first.saved();
		remove(events[0]);
		remove(events[2]);
		const log: string[] = [];
		for (let poll = 1; poll <= 7; poll++) {
			const each = await activeTrigger({ ...watching(hashes), workflowId, staticData, budgetMs: -1 });
			await each.poll();
			staticData = each.staticData();
			log.push(...warnings(each));
		}
		expect(log).toHaveLength(2);
	});
});
