import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { activeTrigger, type ActiveTrigger } from '../execution/pollNode';
import { startService, type EventStatus, type Fault, type RunningService } from '../fakeService';

/**
 * A service that answers late, with errors, with other content and with gaps, between changes of its events: each change is
 * reported once, and nothing is reported that did not happen.
 */

/** What may stand in place of a response: only what the service itself says in JSON may end the watch of an event. */
const failures: Array<Omit<Extract<Fault, { kind: 'status' }>, 'on' | 'kind'>> = [
	{ status: 500, error: 'Internal Server Error' },
	{ status: 502, body: '<html><body>Bad Gateway</body></html>' },
	{ status: 404, body: '<html><body>Not Found</body></html>' },
	{ status: 429, error: 'Slow down', headers: { 'Retry-After': '60' } },
	{ status: 400, error: 'Bad Request' },
	{ status: 200, body: '<html><body>Maintenance</body></html>' },
	{ status: 200, body: '' },
	{ status: 200, body: 'Service is starting' },
	{ status: 200, body: '"Service is starting"' },
	{ status: 200, body: '{"events": [' },
	{ status: 200, body: '{"message":"Service is starting"}' },
	{ status: 200, body: '{"error":"Database is not available"}' },
	{ status: 200, body: '{"requestId":"4711","took":3}' },
];
/** What a service says of an event or a list that is not there; said of what is there, it is a lie. */
const lies: typeof failures = [
	{ status: 404, error: 'Event not found' },
	{ status: 200, body: '{"error":"No events found"}' },
	{ status: 200, body: 'null' },
	{ status: 200, body: '[]' },
	{ status: 200, body: '{}' },
	{ status: 200, body: '{"data":null}' },
	{ status: 200, body: '{"success":true,"data":[]}' },
];

const change = fc.record({
	change: fc.constantFrom('status', 'title', 'date', 'create', 'delete'),
	place: fc.nat({ max: 99 }),
});
const fault = fc.record({
	on: fc.constantFrom('eventSearchAll' as const, 'eventSearchByHash' as const),
	skip: fc.nat({ max: 5 }),
	times: fc.constantFrom(1, 2, 9),
});
/** How many polls in a row it lasts. */
const polls = fc.constantFrom(1, 2, 3);
const steps = fc.array(
	fc.oneof(
		{ weight: 3, arbitrary: change },
		{ weight: 2, arbitrary: fc.constant('poll' as const) },
		{ weight: 2, arbitrary: fc.record({ fault, polls, failure: fc.constantFrom(...failures) }) },
		{ weight: 2, arbitrary: fc.record({ fault, lie: fc.constantFrom(...lies) }) },
	),
	{ maxLength: 14 },
);

/** One response of the activation. */
const first = fc.option(
	fc
		.record({ fault, answer: fc.constantFrom(...failures, ...lies) })
		.map(({ fault: { on, skip }, answer }): Fault => ({ kind: 'status', on, skip, ...answer })),
);

const inHours = (hours: number) =>
	new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
const STATUSES: EventStatus[] = ['ON_DEMAND', 'WAITING_LIVE', 'LIVE'];

/** What is true of the events, and what was reported of them. */
class Plan {
	private number = 0;
	/** Every event that there ever was. */
	readonly all = new Map<string, { exists: boolean; reported: IDataObject[] }>();
	/** The value that a report must name as the previous one. */
	readonly last = new Map<string, unknown>();

	constructor(
		private readonly service: RunningService,
		private readonly triggerOn: string,
	) {}

	create(): string {
		const number = ++this.number;
		// IDs in the order of creation, or in none.
		const eventId = 5_000 + ((number * 7919) % 1_009);
		const [event] = this.service.seedEvents([
			{ eventId, title: `Event ${number}`, dateScheduled: inHours(((number * 31) % 40) - 20) },
		]);
		const hash = event?.hash ?? '';
		this.all.set(hash, { exists: true, reported: [] });
		return hash;
	}

	apply({ change: what, place }: { change: string; place: number }): void {
		const { state } = this.service;
		const event = state.events[place % Math.max(1, state.events.length)];
		if (what === 'create') this.create();
		if (!event) return;
		if (what === 'status')
			event.status = STATUSES[(STATUSES.indexOf(event.status) + 1 + (place % 2)) % 3] ?? 'LIVE';
		if (what === 'title') event.title = `${event.title}'`;
		if (what === 'date') event.dateScheduled = inHours((place % 40) - 20);
		if (what === 'delete') {
			state.events = state.events.filter((each) => each !== event);
			const known = this.all.get(event.hash);
			if (known) known.exists = false;
		}
	}

	valueOf(hash: string): unknown {
		const event = this.service.state.events.find((each) => each.hash === hash);
		if (!event) return undefined;
		return this.triggerOn === 'eventStatusChanged'
			? event.status
			: { title: event.title, dateScheduled: event.dateScheduled };
	}

	/** Nothing invented: what a poll returned is true now, and was not reported before. */
	check(items: IDataObject[] | null): void {
		for (const item of items ?? []) {
			const hash = item.hash as string;
			const event = this.all.get(hash);
			if (!event) throw new Error(`Reported an event that never was: ${JSON.stringify(item)}`);
			if (this.triggerOn === 'eventDeleted') expect(event.exists).toBe(false);
			if (this.triggerOn === 'eventStatusChanged') {
				expect(item.status).toBe(this.valueOf(hash));
				if (item.previousStatus !== null)
					expect(item.previousStatus).toBe(this.last.get(hash) ?? 'WAITING_LIVE');
				expect(item.status).not.toBe(item.previousStatus);
			}
			if (this.triggerOn === 'eventUpdated' && this.last.has(hash))
				expect(item.previous).toEqual(this.last.get(hash));
			event.reported.push(item);
			this.last.set(hash, this.valueOf(hash));
		}
	}
}

async function settle(trigger: ActiveTrigger, plan: Plan): Promise<void> {
	for (let poll = 1; poll <= 4; poll++) plan.check(await trigger.poll());
}

const watching: Record<string, INodeParameters> = { all: {}, window: { scheduledWithinDays: 3 }, hashes: {} };

describe.each(['eventCreated', 'eventDeleted', 'eventStatusChanged', 'eventUpdated'])('%s', (triggerOn) => {
	it.each(triggerOn === 'eventCreated' ? ['all', 'window'] : ['all', 'window', 'hashes'])(
		'reports each change once and invents none, whatever the service answers: %s',
		async (watched) => {
			await fc.assert(
				fc.asyncProperty(fc.nat({ max: 7 }), first, steps, async (size, atActivation, todo) => {
					const service = await startService({ pageSizeCap: 3 });
					try {
						const plan = new Plan(service, triggerOn);
						const hashes = Array.from({ length: size + 1 }, () => plan.create());
						const options = { ...watching[watched], ...(watched === 'hashes' ? { events: hashes } : {}) };
						const trigger = await activeTrigger({ service, parameters: { triggerOn, options } });
						if (atActivation) service.injectFault(atActivation);
						expect(await trigger.poll().catch(() => null)).toBeNull();
						service.clearFaults();
						await settle(trigger, plan);
						const atFirst = new Set(hashes);
						for (const hash of hashes) plan.last.set(hash, plan.valueOf(hash));
						let lied = false;
						for (const step of todo) {
							if (typeof step === 'object' && 'change' in step) {
								plan.apply(step);
								continue;
							}
							// Two lies in a row are no lie.
							const isLie = typeof step === 'object' && 'lie' in step;
							const times = typeof step === 'object' && 'polls' in step ? step.polls : 1;
							for (let poll = 1; poll <= times; poll++) {
								if (typeof step === 'object' && !(isLie && lied)) {
									service.injectFault({
										...{ kind: 'status', ...step.fault },
										...('lie' in step ? step.lie : step.failure),
									});
								}
								plan.check(await trigger.poll().catch(() => null));
								service.clearFaults();
							}
							lied = isLie && !lied;
						}
						await settle(trigger, plan);
						const isWatched = (hash: string) => watched !== 'hashes' || atFirst.has(hash);
						for (const [hash, { exists, reported }] of plan.all) {
							if (!isWatched(hash)) expect(reported).toEqual([]);
							else if (triggerOn === 'eventCreated' && exists)
								expect(reported).toHaveLength(atFirst.has(hash) ? 0 : 1);
							else if (triggerOn === 'eventDeleted' && atFirst.has(hash))
								expect(reported).toHaveLength(exists ? 0 : 1);
							else if (exists && atFirst.has(hash)) expect(plan.last.get(hash)).toEqual(plan.valueOf(hash));
						}
					} finally {
						await service.close();
					}
				}),
				{ numRuns: Number(process.env.LIST_SEQUENCES ?? 10) },
			);
		},
	);
});
