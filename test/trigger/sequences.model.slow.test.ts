import { randomUUID } from 'node:crypto';

import { MINUTE_MS } from '../execution/clock';
import { fc } from '../execution/generated';
import { activeTrigger, type ActiveTrigger } from '../execution/pollNode';
import { startService } from '../fakeService';

const failures = {
	'bad request': { kind: 'status', status: 400, error: 'Bad Request' },
	'limit after a page': { kind: 'status', status: 429, error: 'Limit', skip: 1, times: 10 },
} as const;
const step = fc.oneof(
	{ weight: 4, arbitrary: fc.constant('poll' as const) },
	{
		weight: 3,
		arbitrary: fc.constantFrom('create' as const, 'begin a poll' as const, 'publish' as const),
	},
	{ weight: 2, arbitrary: fc.constant('end the polls' as const) },
	{
		weight: 1,
		arbitrary: fc.constantFrom(
			'restart' as const,
			'an execution stores older data' as const,
			'publish while the service is down' as const,
			'a minute passes' as const,
			...(Object.keys(failures) as Array<keyof typeof failures>), // of a literal
		),
	},
);

let ahead = 0;
beforeEach(() => {
	const real = Date.now.bind(Date);
	jest.spyOn(Date, 'now').mockImplementation(() => real() + ahead);
});
afterEach(() => jest.restoreAllMocks());

it('Event Created reports each event once, whatever overlaps, fails, is published or restarts', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 24 }), fc.boolean(), async (steps, isN8n2) => {
			const service = await startService({ pageSizeCap: 5 });
			service.seedEvents(7);
			const expected: string[] = [];
			const reported: unknown[] = [];
			const running: Array<Promise<void>> = [];
			let processes = 1;
			let workflowId = randomUUID();
			/** Of n8n's database: what is there, and what was written last. */
			let stored: string | undefined;
			let written: string | undefined;
			let trigger: ActiveTrigger | undefined;
			const poll = async (isActivation = false) => {
				const [own, current] = [processes, trigger];
				const items = (await current?.poll().catch(() => null)) ?? null;
				// What a killed process was doing has no effect.
				if (own !== processes) return;
				reported.push(...(items ?? []).map(({ hash }) => hash));
				if ((items || isActivation) && current?.staticDataChanged()) stored = written = current.saved();
			};
			const publish = async () => {
				// n8n 1 emits what a poll of the activation before returns.
				if (isN8n2) trigger?.deactivate();
				const parameters = { triggerOn: 'eventCreated' };
				trigger = await activeTrigger({ service, workflowId, staticData: stored, parameters });
				await poll(true);
			};
			const create = () => expected.push(...service.seedEvents(1).map(({ hash }) => hash));
			await publish();
			await poll();
			for (const each of steps) {
				ahead += 1_000;
				if (each === 'poll') await poll();
				else if (each === 'create') create();
				else if (each === 'begin a poll') {
					service.injectFault({ kind: 'delay', on: 'eventSearchAll', ms: 40 });
					const before = service.requestsOf('eventSearchAll').length;
					const one = poll();
					running.push(one);
					const hasBegun = service.until(() => service.requestsOf('eventSearchAll').length > before);
					await Promise.race([one, hasBegun]);
				} else if (each === 'end the polls') await Promise.all(running.splice(0));
				else if (each === 'publish') await publish();
				else if (each === 'restart') {
					processes++;
					trigger?.deactivate();
					await Promise.all(running.splice(0));
					// This process knows nothing of another workflow.
					workflowId = randomUUID();
					stored = written;
					await publish();
				} else if (each === 'an execution stores older data') {
					const older = stored;
					create();
					await poll();
					stored = older;
				} else if (each === 'publish while the service is down') {
					await service.goDown();
					await publish();
					await service.comeBack();
				} else if (each === 'a minute passes') ahead += MINUTE_MS;
				else {
					service.injectFault({ on: 'eventSearchAll', ...failures[each] });
					await poll();
					service.clearFaults();
				}
			}
			await Promise.all(running);
			for (let more = 0; more < 12; more++) {
				ahead += MINUTE_MS;
				await poll();
			}
			expect(reported.sort()).toEqual(expected.sort());
			await service.close();
		}),
		{ numRuns: Number(process.env.TRIGGER_COURSES ?? 40) },
	);
}, 120_000);
