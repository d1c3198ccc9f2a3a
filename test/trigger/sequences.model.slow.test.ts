import { randomUUID } from 'node:crypto';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { HOUR_MS, MINUTE_MS } from '../execution/clock';
import { fc } from '../execution/generated';
import { activeTrigger, type ActiveTrigger } from '../execution/pollNode';
import { startService, type Fault, type RunningService } from '../fakeService';
import { sceneOf, seedLatest, SILENT } from './scenes';

const CHANGES = 8;
/** One for each kind that changes an event, and some that stay as they are. */
const EVENTS = SILENT.length * CHANGES + 3;

const LISTS: Fault['on'] = [
	'eventSearchByHash',
	...new Set(SILENT.map((triggerOn) => sceneOf(triggerOn).list)),
];
const status = (code: number, more: { error?: string; body?: string; headers?: Record<string, string> }) => ({
	...{ kind: 'status' as const, status: code },
	...more,
});

/** What the service, or something before it, answers while a poll reads. */
const answers = [
	status(400, { error: 'Bad Request' }),
	status(429, { headers: { 'Retry-After': '60' } }),
	status(500, { error: 'Internal error' }),
	status(502, { body: '<html>Bad Gateway' }),
	status(404, { body: '<html>Not found' }),
	status(200, { body: '<html>Maintenance' }),
	{ kind: 'reset' as const },
	{ kind: 'expireToken' as const },
];

const step = fc.oneof(
	{ weight: 4, arbitrary: fc.constant('poll' as const) },
	{ weight: 4, arbitrary: fc.constant('change' as const) },
	{ weight: 2, arbitrary: fc.constantFrom('begin a poll' as const, 'end the polls' as const) },
	{
		weight: 4,
		arbitrary: fc.constantFrom(
			'unpublish and publish' as const,
			'kill n8n and start it' as const,
			'start n8n while signing in is refused' as const,
			'publish while the service is down' as const,
			'another trigger of the workflow emits' as const,
			'a day passes' as const,
		),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			answer: fc.constantFrom(...answers),
			skip: fc.nat({ max: 4 }),
			times: fc.constantFrom(1, 20),
		}),
	},
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

let ahead = 0;
beforeEach(() => {
	ahead = 0;
	const real = Date.now.bind(Date);
	jest.spyOn(Date, 'now').mockImplementation(() => real() + ahead);
});
afterEach(() => jest.restoreAllMocks());

/** A plan in which each kind of change happens to other records: no change is the consequence of another one. */
class Plan {
	readonly changes = Object.fromEntries(SILENT.map((triggerOn) => [triggerOn, new Array<IDataObject>()]));
	readonly hashes: string[];
	private left = CHANGES;

	constructor(private readonly service: RunningService) {
		this.hashes = service.seedEvents(EVENTS).map(({ hash }) => hash);
		seedLatest(service);
	}

	change(): void {
		if (this.left-- <= 0) return;
		for (const [triggerOn, changes] of Object.entries(this.changes))
			changes.push(sceneOf(triggerOn).change(this.service));
	}
}

/** A workflow in an n8n. */
class Workflow {
	readonly reported: IDataObject[] = [];
	private readonly workflowId = randomUUID();
	private trigger: ActiveTrigger | undefined;
	private running: Array<Promise<void>> = [];
	private database = '{}';

	constructor(
		private readonly service: RunningService,
		private readonly parameters: INodeParameters,
	) {}

	/** A poll that fails is a failed execution, after which n8n polls again. */
	async poll(): Promise<void> {
		await this.pollOnce().catch(() => undefined);
	}

	private async pollOnce(): Promise<void> {
		const { trigger } = this;
		const items = (await trigger?.poll()) ?? [];
		// What n8n discards changes nothing.
		if (trigger !== this.trigger) return;
		this.reported.push(...items);
		this.database = trigger?.saved() ?? this.database;
	}

	/** A first poll that fails ends the publication. */
	async publish(activation?: 'init'): Promise<void> {
		const { service, parameters, workflowId } = this;
		this.trigger?.deactivate();
		const staticData = this.database;
		this.trigger = await activeTrigger({ service, parameters, workflowId, staticData, activation });
		await this.pollOnce();
	}

	async begin(): Promise<void> {
		const { service } = this;
		service.injectFault({ kind: 'delay', on: LISTS, ms: 30 });
		const before = service.requests.length;
		const poll = this.poll();
		this.running.push(poll);
		await Promise.race([poll, service.until(() => service.requests.length > before)]);
	}

	async end(): Promise<void> {
		await Promise.all(this.running.splice(0));
	}

	async take(each: Step, plan: Plan): Promise<void> {
		const { service } = this;
		ahead += MINUTE_MS;
		if (each === 'poll') await this.poll();
		else if (each === 'change') plan.change();
		else if (each === 'begin a poll') await this.begin();
		else if (each === 'end the polls') await this.end();
		else if (each === 'unpublish and publish') await this.publish();
		else if (each === 'kill n8n and start it') {
			this.trigger = undefined;
			await this.end();
			await this.publish('init');
		} else if (each === 'start n8n while signing in is refused') {
			await this.end();
			service.expireTokens();
			service.injectFault({ kind: 'status', on: 'authenticate', status: 403, error: 'Forbidden', times: 9 });
			await this.publish('init');
		} else if (each === 'publish while the service is down') {
			await this.end();
			await service.goDown();
			await this.publish();
			await service.comeBack();
		} else if (each === 'another trigger of the workflow emits') {
			this.trigger?.save();
			this.database = this.trigger?.saved() ?? this.database;
		} else if (each === 'a day passes') ahead += 25 * HOUR_MS;
		else {
			const { answer, skip, times } = each;
			service.injectFault({ ...answer, on: LISTS, skip, times });
			await this.poll();
		}
		if (each !== 'begin a poll') service.clearFaults();
	}
}

const idOf = ({ hash, uuid }: IDataObject) => JSON.stringify(hash ?? uuid);
const byId = (items: IDataObject[]) => items.toSorted((one, other) => idOf(one).localeCompare(idOf(other)));

const watches = [
	...SILENT.map((triggerOn) => [triggerOn, 'the plan'] as const),
	['eventDeleted', 'chosen events'] as const,
];

it.each(watches)(
	'%s of %s reports each change once, and none is lost, whatever fails, overlaps, is published or restarts',
	async (triggerOn, watched) => {
		await fc.assert(
			fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), async (steps) => {
				const service = await startService({ pageSizeCap: 10, defaultPageSize: 10 });
				const plan = new Plan(service);
				const options: INodeParameters = watched === 'the plan' ? {} : { events: plan.hashes };
				const workflow = new Workflow(service, { triggerOn, options });
				await workflow.publish();
				expect(workflow.reported).toEqual([]);
				for (const each of steps) await workflow.take(each, plan);
				await workflow.end();
				for (let polls = 1; polls <= 4; polls++) await workflow.take('poll', plan);
				expect(byId(workflow.reported)).toMatchObject(byId(plan.changes[triggerOn] ?? []));
				await service.close();
			}),
			{ numRuns: Number(process.env.TRIGGER_SEQUENCES ?? 8) },
		);
	},
	120_000,
);
