import { executeForJson } from '../../execution/executeNode';
import { activeTrigger } from '../../execution/pollNode';
import type { RunningService } from '../../fakeService';
import { serviceForEachTest } from '../../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started), { firstEventPage: 0, pageSizeCap: 2 });

/** Page 1 is requested first, then page 0, which shows that this service counts from 0. */
const failPageZero = () => {
	service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 503, skip: 1 });
};

const getAll = { resource: 'event', operation: 'getAll', returnAll: true };

it('one 503 does not hide the first page of events from later runs', async () => {
	const seeded = service.seedEvents(6);
	failPageZero();
	await executeForJson({ service, parameters: getAll }).catch(() => undefined);
	const later = await executeForJson({ service, parameters: getAll });
	expect(later.map(({ hash }) => hash)).toEqual(seeded.map(({ hash }) => hash));
});

it('one 503 is an error or is retried, but the list does not lack its first page', async () => {
	const seeded = service.seedEvents(6);
	failPageZero();
	const events = await executeForJson({ service, parameters: getAll }).catch(() => 'error');
	expect(events === 'error' ? seeded.length : events.length).toBe(seeded.length);
});

it('a change of status on that page is reported by the trigger after a restart of n8n', async () => {
	const [first] = service.seedEvents(6);
	failPageZero();
	const trigger = await activeTrigger({ service });
	await trigger.poll();
	service.setEventStatus(first?.hash ?? '', 'LIVE');
	const polls = [await trigger.poll(), await trigger.poll(), await trigger.poll()];
	expect(polls.flatMap((items) => items ?? []).map(({ hash }) => hash)).toEqual([first?.hash]);
});
