import { randomUUID } from 'node:crypto';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { HOUR_MS, MINUTE_MS } from '../execution/clock';
import { fc } from '../execution/generated';
import { activeTrigger, type ActiveTrigger } from '../execution/pollNode';
import { policies } from '../execution/policies';
import { startService, type RunningService } from '../fakeService';
import { listOf, sceneOf, seedLatest, SILENT } from './scenes';

const CHANGES = 8;
/** One for each kind that changes an event, and some that stay as they are. */
const EVENTS = SILENT.length * CHANGES + 3;

const LISTS = ['eventSearchByHash' as const, ...new Set(SILENT.map(listOf))];

/** What the service, or something before it, answers while a poll reads. A 400 would say that there is no such page or event. */
const ANSWERS = [
	...([403, 500] as const).map((status) => ({ kind: 'status' as const, status, error: 'Not now' })),
	{ kind: 'status' as const, status: 429, headers: { 'Retry-After': '60' } },
	...[502, 404, 200].map((status) => ({ kind: 'status' as const, status, body: '<html>Maintenance' })),
	{ kind: 'reset' as const },
	{ kind: 'expireToken' as const },
];

/** What else may happen to a workflow. */
const STEPS: Record<string, (workflow: Workflow, service: RunningService) => Promise<void> | void> = {
	'begin a poll': async (workflow) => await workflow.begin(),
	'end the polls': async (workflow) => await workflow.end(),
	'unpublish and publish': async (workflow) => await workflow.publish(),
	'kill n8n and start it': async (workflow) => await workflow.restart(),
	'start n8n while signing in is refused': async (workflow, service) => {
		service.expireTokens();
		service.injectFault({ kind: 'status', on: 'authenticate', status: 403, error: 'Forbidden', times: 9 });
		await workflow.restart();
	},
	'publish while the service is down': async (workflow, service) => {
		await workflow.end();
		await service.goDown();
		await workflow.publish();
		await service.comeBack();
	},
	'another trigger of the workflow emits': (workflow) => workflow.save(),
	'a day passes': () => void (ahead += 25 * HOUR_MS),
};

const step = fc.oneof(
	{ weight: 8, arbitrary: fc.constantFrom('poll', 'change') },
	{ weight: 6, arbitrary: fc.constantFrom(...Object.keys(STEPS)) },
	{
		weight: 3,
		arbitrary: fc.record({
			answer: fc.constantFrom(...ANSWERS),
			skip: fc.nat({ max: 4 }),
			times: fc.constantFrom(1, 20),
		}),
	},
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

let ahead = 0;
beforeEach(() => {
	// The model does not move the clock that this is measured by.
	policies.renewalMs = 0;
	ahead = 0;
	const real = Date.now.bind(Date);
	jest.spyOn(Date, 'now').mockImplementation(() => real() + ahead);
});

/** A plan in which each kind of change happens to other records: no change is the consequence of another one. */
class Plan {
	readonly changes = Object.fromEntries(SILENT.map((triggerOn) => [triggerOn, new Array<IDataObject>()]));
	readonly hashes: string[];
	private left = CHANGES;

	constructor(private readonly service: RunningService) {
		this.hashes = service.seedEvents(EVENTS).map(({ hash }) => hash);
		service.seedVideos(CHANGES);
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

	/** n8n is killed while polls run, and starts again. */
	async restart(): Promise<void> {
		this.trigger = undefined;
		await this.end();
		await this.publish('init');
	}

	save(): void {
		this.trigger?.save();
		this.database = this.trigger?.saved() ?? this.database;
	}

	async take(each: Step, plan: Plan): Promise<void> {
		const { service } = this;
		ahead += MINUTE_MS;
		if (each === 'poll') await this.poll();
		else if (each === 'change') plan.change();
		else if (typeof each === 'string') await STEPS[each]?.(this, service);
		else {
			const { answer, ...when } = each;
			service.injectFault({ ...answer, ...when, on: LISTS });
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

it.each(watches)('%s of %s reports each change exactly once, whatever fails', async (triggerOn, watched) => {
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
});
