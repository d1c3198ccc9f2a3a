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

it('one 503 does not hide the first page of events, then or later', async () => {
	const hashes = service.seedEvents(6).map(({ hash }) => hash);
	failPageZero();
	for (let run = 1; run <= 2; run++) {
		const events = await executeForJson({ service, parameters: getAll });
		expect(events.map(({ hash }) => hash)).toEqual(hashes);
	}
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
