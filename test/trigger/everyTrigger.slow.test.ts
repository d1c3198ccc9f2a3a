import { randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { TRIGGER_ON, type TriggerOn } from '../../nodes/VideoHosting/trigger/fields';
import { clockAhead, dateIn, HOUR_MS, MINUTE_MS } from '../execution/clock';
import { fc } from '../execution/generated';
import { activeTrigger, type ActiveTrigger } from '../execution/pollNode';
import {
	startService,
	type EventStatus,
	type Fault,
	type LiveEvent,
	type RunningService,
} from '../fakeService';

/** So many records are never deleted: a list without any is another subject. */
const KEPT = 3;
/** On two pages. */
const INITIAL = 15;

const place = fc.nat({ max: INITIAL - 1 });
const inMinutes = (minutes: number) => dateIn(minutes * MINUTE_MS);
const hoursAgo = (hours: number) => ({ createdDate: new Date(Date.now() - hours * HOUR_MS).toISOString() });
/** Soon, soon as well, and some day. */
const minutes = fc.constantFrom(10, 20, 90 * 24 * 60);
const status = fc.constantFrom<EventStatus>('ON_DEMAND', 'WAITING_LIVE', 'LIVE');

const change = fc.oneof(
	fc.record({ place, status }),
	fc.record({ place, title: fc.constantFrom('Town hall', 'Keynote "Ä"', 'x'.repeat(300)) }),
	fc.record({ place, minutes }),
	fc.record({ deleted: place }),
	fc.record({ created: status, minutes }),
	fc.record({ videos: fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 30 }) }),
	fc.record({ deletedVideo: fc.nat() }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

type Answer = Omit<Extract<Fault, { kind: 'status' }>, 'kind' | 'on' | 'skip' | 'times'>;

/** Only JSON in which the service says that something is not there may end the watch of it. */
const failures: Answer[] = [
	{ status: 400, error: 'Bad Request' },
	{ status: 404, body: '<!doctype html><p>Not here' },
	{ status: 422, error: 'Unprocessable' },
	{ status: 429, headers: { 'Retry-After': '60' } },
	{ status: 502, body: '<html><body>Bad Gateway' },
	{ status: 200, body: '' },
	{ status: 200, body: '<html><body>Maintenance' },
	{ status: 200, body: 'Service is starting' },
	{ status: 200, body: '{"events": [' },
	{ status: 200, body: '{"message":"Service is starting"}' },
	{ status: 200, body: '{"error":"Database is not available"}' },
	{ status: 200, body: '{"requestId":"4711","took":3}' },
	{ status: 200, body: '{"name":"ServiceException","message":"Try later"}' },
	{ status: 200, body: '{"data":null,"errors":[{"name":"ServiceException","message":"Try later"}]}' },
];
/** What is said of what is there: a lie, if it is said once. */
const lies: Answer[] = [
	{ status: 404, error: 'Event not found' },
	{ status: 200, body: '{"error":"No videos found"}' },
	{ status: 200, body: 'null' },
	{ status: 200, body: '[]' },
	{ status: 200, body: '{}' },
	{ status: 200, body: '{"data":null}' },
	{ status: 204, body: '' },
];
const answer = fc
	.record({
		response: fc.constantFrom(...failures, ...lies),
		skip: fc.nat({ max: 5 }),
		times: fc.constantFrom(1, 3, 30),
		polls: fc.integer({ min: 1, max: 3 }),
	})
	.map(({ response, polls, ...fault }) => ({
		fault: { kind: 'status' as const, ...response, ...fault },
		polls: lies.includes(response) ? 1 : polls,
	}));

/** What happens to the polls after the changes of a step, before some polls in peace. */
const disturbance = fc.oneof(
	fc.constantFrom('none', 'restart', 'published again', 'fails', 'token expires', 'empty list', 'down'),
	fc.constantFrom('overlapping polls', 'limited', 'one page each', 'old static data'),
	answer,
);
type Disturbance = typeof disturbance extends fc.Arbitrary<infer T> ? T : never;

/** A trigger under test, and what it must report. */
class Watch {
	readonly reported: IDataObject[] = [];
	private readonly reportedStarts = new Set<string>();
	/** Of the process, too: no two workflows share their memory. */
	private workflowId = randomUUID();
	private trigger!: ActiveTrigger;
	private events = new Map<string, LiveEvent>();
	private videos = new Set<string>();

	constructor(
		private readonly service: RunningService,
		private readonly triggerOn: TriggerOn,
		/** Event Names or IDs. */
		private readonly hashes: string[],
	) {}

	async activate(staticData?: string, budgetMs?: number): Promise<void> {
		const { service, triggerOn, workflowId } = this;
		const parameters = { triggerOn, options: { events: this.hashes } };
		this.trigger = await activeTrigger({ service, parameters, staticData, workflowId, budgetMs });
	}

	async poll(): Promise<void> {
		this.reported.push(...((await this.trigger.poll()) ?? []));
	}

	private get on() {
		if (this.triggerOn === 'videoAdded') return 'videoList' as const;
		return this.hashes.length > 0 ? ('eventSearchByHash' as const) : ('eventSearchAll' as const);
	}

	async disturb(what: Disturbance): Promise<void> {
		const { on, service, trigger } = this;
		if (typeof what === 'object') {
			for (let poll = 1; poll <= what.polls; poll++) {
				service.injectFault({ ...what.fault, on: [on, 'eventSearchByHash'] });
				await this.poll().catch(() => {});
				service.clearFaults();
			}
		}
		if (what === 'restart') {
			this.workflowId = randomUUID();
			await this.activate(trigger.staticData());
		}
		if (what === 'published again') await this.activate(trigger.saved());
		if (what === 'fails') {
			const before = trigger.staticData();
			service.injectFault({ kind: 'status', on, skip: 1, status: 409, error: 'Conflict' });
			await expect(trigger.poll()).rejects.toThrow('Conflict');
			expect(trigger.staticData()).toBe(before);
		}
		if (what === 'token expires') service.injectFault({ kind: 'expireToken', on, skip: 1 });
		if (what === 'empty list') service.injectFault({ kind: 'status', on, status: 200, body: '[]', times: 2 });
		if (what === 'down') {
			await service.goDown();
			await expect(trigger.poll()).rejects.toMatchObject({ failure: { cause: 'temporarily-unavailable' } });
			await service.comeBack();
		}
		if (what === 'overlapping polls') await Promise.all([this.poll(), this.poll()]);
		if (what === 'limited') {
			const headers = { 'Retry-After': '60' };
			service.injectFault({ kind: 'status', on, skip: 2, times: 99, status: 429, headers });
			await this.poll();
		}
		if (what === 'old static data') {
			const old = trigger.staticData();
			await this.poll();
			await this.activate(old);
			// Later than n8n needs to store what was reported.
			await clockAhead(MINUTE_MS, async () => await this.poll());
		}
		if (what === 'one page each') {
			await this.activate(trigger.staticData(), -1);
			for (let polls = 0; polls < 2; polls++) await this.poll();
			await this.activate(this.trigger.staticData());
		}
		if (what !== 'token expires' && what !== 'empty list') service.clearFaults();
		await this.poll();
		service.clearFaults();
	}

	/** What must have been reported since the last call. */
	expected(): IDataObject[] {
		const before = this.events;
		const videosBefore = this.videos;
		const { videos } = this.service.state;
		const isWatched = ({ hash }: LiveEvent) => this.hashes.length === 0 || this.hashes.includes(hash);
		const events = this.service.state.events.filter(isWatched);
		this.events = new Map(events.map((event) => [event.hash, { ...event }]));
		this.videos = new Set(videos.map(({ hash }) => hash));
		const newVideos = videos.filter(({ hash }) => !videosBefore.has(hash)).map(({ hash }) => ({ hash }));
		const deleted = [...before.values()].filter(({ hash }) => !this.events.has(hash));
		const soon = events.filter(({ dateScheduled }) => dateScheduled <= inMinutes(30));
		const starts = soon.filter(({ hash, dateScheduled }) => {
			const isNew = !this.reportedStarts.has(hash + dateScheduled);
			this.reportedStarts.add(hash + dateScheduled);
			return isNew;
		});
		return {
			eventCreated: () => events.filter(({ hash }) => !before.has(hash)).map(({ hash }) => ({ hash })),
			eventDeleted: () =>
				deleted.map(({ hash, eventId, title, dateScheduled }) => ({
					...{ deleted: true, hash, eventId, dateScheduled },
					title: title.length < 50 ? title : expect.stringMatching(/^x{20,}…$/),
				})),
			eventStartsSoon: () => starts.map(({ hash, dateScheduled }) => ({ hash, dateScheduled })),
			eventStatusChanged: () =>
				events
					.map(({ hash, status }) => ({ hash, previousStatus: before.get(hash)?.status ?? null, status }))
					.filter(
						(each) => (each.previousStatus ?? (each.status === 'LIVE' ? '' : each.status)) !== each.status,
					),
			eventUpdated: () =>
				events.flatMap(({ hash, title, dateScheduled }) => {
					const previous = before.get(hash);
					if (!previous || (previous.title === title && previous.dateScheduled === dateScheduled)) return [];
					const { title: was } = previous;
					return {
						...{ hash, title, dateScheduled },
						previous: {
							title: was.length < 50 ? was : expect.stringMatching(/^x{20,}…$/),
							dateScheduled: previous.dateScheduled,
						},
					};
				}),
			videoAdded: () => newVideos,
		}[this.triggerOn]();
	}
}

function apply(service: RunningService, what: Change): void {
	const { events } = service.state;
	const event = 'place' in what ? events[what.place % events.length] : undefined;
	if (event && 'status' in what) event.status = what.status;
	if (event && 'title' in what) event.title = what.title;
	if (event && 'place' in what && 'minutes' in what) event.dateScheduled = inMinutes(what.minutes);
	if ('deleted' in what && events.length > KEPT) events.splice(what.deleted % events.length, 1);
	if ('created' in what)
		service.seedEvents([{ status: what.created, dateScheduled: inMinutes(what.minutes) }]);
	if ('videos' in what) service.seedVideos(what.videos.map(hoursAgo));
	const { videos } = service.state;
	if ('deletedVideo' in what && videos.length > KEPT) videos.splice(what.deletedVideo % videos.length, 1);
}

const byHash = (items: IDataObject[]) =>
	items.toSorted((a, b) => JSON.stringify(a.hash).localeCompare(JSON.stringify(b.hash)));

const watches = TRIGGER_ON.flatMap((triggerOn): Array<[TriggerOn, 'all' | 'chosen']> => {
	const hasOptionEvents = triggerOn !== 'eventCreated' && triggerOn !== 'videoAdded';
	const all: [TriggerOn, 'all'] = [triggerOn, 'all'];
	return hasOptionEvents ? [all, [triggerOn, 'chosen']] : [all];
});

it.each(watches)(
	'%s of %s records reports each change once and invents none, over any course of changes, answers, restarts and limits',
	async (triggerOn, watched) => {
		const step = fc.tuple(fc.array(change, { maxLength: 6 }), disturbance);
		await fc.assert(
			fc.asyncProperty(
				fc.option(answer),
				fc.array(step, { minLength: 1, maxLength: 5 }),
				fc.constantFrom(INITIAL, 110),
				async (first, steps, initialVideos) => {
					const service = await startService({ pageSizeCap: 10, defaultPageSize: 10 });
					const hashes = service.seedEvents(INITIAL).map(({ hash }) => hash);
					service.seedVideos(Array.from({ length: initialVideos }, (_, number) => hoursAgo(30 * number)));
					const watch = new Watch(service, triggerOn, watched === 'all' ? [] : hashes.slice(0, 4));
					await watch.activate();
					// A list that breaks off in both readings of the baseline looks like one that ends there.
					if (first) await watch.disturb({ ...first, fault: { ...first.fault, times: 1 }, polls: 1 });
					for (let polls = 0; polls < 2; polls++) await watch.poll();
					expect(watch.reported).toHaveLength(0);
					watch.expected();
					for (const [changes, what] of steps) {
						for (const each of changes) apply(service, each);
						watch.reported.length = 0;
						await watch.disturb(what);
						// A deletion is confirmed by a second reading; one that a limit cut off is completed before.
						for (let polls = 0; polls < (triggerOn === 'eventDeleted' ? 4 : 2); polls++) await watch.poll();
						expect(byHash(watch.reported)).toMatchObject(byHash(watch.expected()));
					}
					await service.close();
				},
			),
			{ numRuns: Number(process.env.TRIGGER_SEQUENCES ?? 8) },
		);
	},
	120_000,
);
