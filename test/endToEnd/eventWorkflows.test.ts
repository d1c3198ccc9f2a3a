import { createHash } from 'node:crypto';

import { DateTime } from 'luxon';

import { outputOf } from '../n8n/execution';
import { poll } from '../n8n/poll';
import type { StoredWorkflow } from '../n8n/rest';
import { everyTwoSeconds } from '../n8n/workflow';
import { TemplateWorld } from './templateWorld';

let world: TemplateWorld;

beforeAll(async () => {
	world = await TemplateWorld.start();
}, 180_000);
afterAll(async () => {
	await world?.end();
});
beforeEach(() => world.clear());

/** A calendar entry as Google Calendar responds: instants with an offset, or days without a time. */
interface CalendarEntry {
	id: string;
	summary?: string;
	start: { dateTime: string } | { date: string };
}

/** The mark of an entry at the end of its event's title. */
const markOf = (id: string) => `[${createHash('sha256').update(id).digest('hex').slice(0, 8)}]`;
const scheduled = () => world.service.state.events.map(({ title, dateScheduled }) => [title, dateScheduled]);

async function runCalendar(entries: CalendarEntry[], timezone?: string): Promise<void> {
	const pinned = { 'Get Calendar Entries': entries };
	const workflow = await world.imported('schedule-live-events-from-a-calendar', { pinned, timezone });
	await world.run(workflow, 'Every 15 Minutes');
}

describe('Schedule live events from a calendar', () => {
	it.each([
		[undefined, ['2030-03-30 18:00:00', '2030-03-31 18:00:00', '2030-10-27 02:30:00', '2030-05-01 12:00:00']],
		[
			'America/New_York',
			['2030-03-30 13:00:00', '2030-03-31 12:00:00', '2030-10-26 21:30:00', '2030-05-01 06:00:00'],
		],
	])(
		'writes each date once in the zone of the workflow (%s), and only entries to come with a time',
		async (zone, dates) => {
			const entries: CalendarEntry[] = [
				{ id: 'one', summary: 'Town hall, live', start: { dateTime: '2030-03-30T18:00:00+01:00' } },
				{ id: 'two', summary: 'Town hall, live', start: { dateTime: '2030-03-31T18:00:00+02:00' } },
				{ id: 'three', summary: 'Overseas live talk', start: { dateTime: '2030-10-27T01:30:00Z' } },
				{ id: 'four', start: { dateTime: '2030-05-01T12:00:00+02:00' } },
				{ id: 'five', summary: 'Live festival', start: { date: '2030-06-01' } },
				{ id: 'six', summary: 'Live already', start: { dateTime: DateTime.now().minus(60_000).toISO() } },
			];

			await runCalendar(entries, zone);
			await runCalendar(entries, zone);

			expect(scheduled()).toEqual(
				entries
					.slice(0, 4)
					.map(({ id, summary }, index) => [`${summary ?? 'Live event'} ${markOf(id)}`, dates[index]]),
			);
		},
	);

	it('moves the event of a moved entry, and leaves alone renamed and ended ones and those of other people', async () => {
		const entry = (id: string, day: string): CalendarEntry => ({
			...{ id, summary: `Live ${id}` },
			start: { dateTime: `2030-05-${day}T12:00:00Z` },
		});
		await runCalendar([entry('moved', '01'), entry('renamed', '02'), entry('ended', '03')]);
		const ended = world.service.state.events[2];
		Object.assign(ended ?? {}, { status: 'ON_DEMAND', title: `Ended: ${ended?.title}` });
		world.service.seedEvents([{ title: 'Live moved', dateScheduled: '2030-05-01 14:00:00' }]);

		const renamed = { ...entry('renamed', '02'), summary: 'Live, another name' };
		await runCalendar([entry('moved', '11'), renamed, entry('ended', '03')]);

		expect(scheduled().sort()).toEqual([
			[`Ended: Live ended ${markOf('ended')}`, '2030-05-03 14:00:00'],
			[`Live moved ${markOf('moved')}`, '2030-05-11 14:00:00'],
			['Live moved', '2030-05-01 14:00:00'],
			[`Live renamed ${markOf('renamed')}`, '2030-05-02 14:00:00'],
		]);
	});
});

it('posts one message at the start of an event; at its end marks it, and moves its recordings once they are listed', async () => {
	const { n8n, service, outside } = world;
	const title = `Town hall ${markOf('entry')}`;
	const [townHall, talk] = service.seedEvents([
		{ title, dateScheduled: '2030-03-30 18:00:00' },
		{ title: 'Talk' },
		{ title: 'Rehearsal' },
	]);
	service.seedVideos([
		{ name: 'Talk.mp4' },
		{ name: 'Something else.mp4' },
		{ name: 'Town hall of last week.mp4', createdDate: DateTime.now().minus({ weeks: 1 }).toISO() },
	]);
	if (!townHall || !talk) throw new Error('Nothing was seeded');
	const workflow = await world.imported('announce-live-events-in-slack-and-organize-their-recordings', {
		change: {
			'Event Status Changed': { parameters: { pollTimes: everyTwoSeconds } },
			'Send Slack Message': world.postsInstead,
			'Report Missing Recording': world.postsInstead,
			'Wait 5 Minutes': { parameters: { amount: 1, unit: 'seconds' } },
		},
	});
	await n8n.rest.activateWorkflow(workflow.id);
	const nthExecution = async (nth: number) => {
		const executions = async () => await n8n.rest.executions(workflow.id);
		const { id } = await poll(`execution ${nth}`, 60_000, async () => (await executions()).at(-nth));
		await world.success(id);
	};

	service.setEventStatus(townHall.hash, 'LIVE');
	await nthExecution(1);
	const message = '🔴 Town hall is live now (scheduled for 2030-03-30 18:00:00).';
	expect(outside.messages).toEqual([{ message }]);
	service.setEventStatus(talk.hash, 'LIVE');
	await nthExecution(2);

	service.requests.length = 0;
	// Both in one go, so that one execution has both.
	for (const event of [townHall, talk]) event.status = 'ON_DEMAND';
	await service.until(
		() => service.requestsOf('videoList').filter(({ query }) => query.name === 'Town hall').length > 1,
	);
	service.seedVideos([{ name: 'Town hall, camera 1.mp4' }]);
	await nthExecution(3);
	await n8n.rest.deactivateWorkflow(workflow.id);

	expect(outside.messages).toHaveLength(2);
	expect(service.state.events.map((event) => event.title)).toEqual([
		...[`Ended: ${title}`, 'Ended: Talk', 'Rehearsal'],
	]);
	const [folder, ...others] = service.state.folders;
	expect([folder?.name, others]).toEqual(['Recordings', []]);
	expect(service.state.videos.map((video) => [video.name, video.folder])).toEqual([
		['Talk.mp4', folder?.uuid],
		['Something else.mp4', null],
		['Town hall of last week.mp4', null],
		['Town hall, camera 1.mp4', folder?.uuid],
	]);

	// Ended early: the calendar still contains the entry.
	await runCalendar([
		{ id: 'entry', summary: 'Town hall', start: { dateTime: '2030-03-30T18:00:00+01:00' } },
	]);
	expect(service.state.events).toHaveLength(3);
}, 120_000);

describe('Ask an AI agent about live events', () => {
	const monday = DateTime.now().setZone('Europe/Berlin').startOf('week');
	const text = (date: DateTime) => date.toFormat('yyyy-MM-dd HH:mm:ss');

	it('replies from the events of the period alone, which contain no secret', async () => {
		const later = Array.from({ length: 250 }, (_, day) => ({
			...{ title: `Later ${day}`, dateScheduled: text(monday.plus({ days: 7 + day })) },
		}));
		world.service.seedEvents([
			{ title: 'Town hall', dateScheduled: text(monday.plus({ days: 2, hours: 18 })) },
			...later,
		]);

		expect(await replyOf(await agent())).toContain('"title":"Town hall"');

		expect([...toolResponse().matchAll(/"title":"([^"]*)"/g)].map(([, title]) => title)).toEqual([
			'Town hall',
		]);
		for (const secret of Object.values(world.service.settings.plans))
			expect(toolResponse()).not.toContain(secret);
	}, 120_000);

	it.each([2.2, 3.1])(
		'shows the model why its tool failed, with version %s of the agent',
		async (version) => {
			const fault = { kind: 'status', status: 422, error: 'The plan has expired', times: 30 } as const;
			world.service.injectFault({ on: 'eventSearchAll', ...fault });
			expect(await replyOf(await agent(version))).toContain('The plan has expired');
			world.service.clearFaults();
		},
		120_000,
	);

	function toolResponse(): string {
		return world.outside.chats.at(-1)?.messages.find(({ role }) => role === 'tool')?.content ?? '';
	}

	async function agent(typeVersion?: number): Promise<StoredWorkflow> {
		const { n8n, outside } = world;
		outside.toolArguments = {
			scheduledAfter: text(monday),
			scheduledBefore: text(monday.plus({ weeks: 1 })),
		};
		const openAi = await n8n.rest.createCredential('openAiApi', 'OpenAI', {
			...{ apiKey: 'key-of-the-test', url: `${outside.url}/openai` },
		});
		const asked = {
			sessionId: 's1',
			action: 'sendMessage',
			chatInput: 'Which events are scheduled this week?',
		};
		return await world.imported('ask-an-ai-agent-about-live-events', {
			pinned: { 'When chat message received': [asked] },
			change: {
				'OpenAI Chat Model': { credentials: { openAiApi: { id: openAi.id, name: openAi.name } } },
				'Event Assistant': typeVersion === undefined ? {} : { typeVersion },
			},
		});
	}

	async function replyOf(workflow: StoredWorkflow): Promise<unknown> {
		const execution = await world.run(workflow, 'When chat message received');
		return outputOf(execution, 'Event Assistant')[0]?.json.output;
	}
});
