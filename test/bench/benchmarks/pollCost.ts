import { noOperation, videoHostingTrigger, workflowOf } from '../../matrix/workflow';
import { poll } from '../../n8n/poll';
import { step } from '../../n8n/progress';
import { startService } from '../../service';
import { nearEvents, pollCost as costOfPoll, type PollCost } from '../../trigger/pollCost';
import type { Benchmark, Comparison } from '../benchmark';
import { builtTrigger } from '../installedPackage';
import type { TestBed } from '../testBed';

/** What one poll of the trigger asks for and remembers, by the number of events in the plan. */
export const pollCost: Benchmark = {
	id: 'poll-cost',
	async run({ bed, report, quick }) {
		const counts = quick ? [100, 1_000] : [100, 1_000, 10_000];
		const trigger = await builtTrigger(await bed.installedPackage());
		const costs = async (watching: 'all' | 'window') => {
			const found: PollCost[] = [];
			for (const count of counts) {
				const title = `One poll, ${count} events, ${watching}`;
				found.push(await step(report, title, async () => await costOfPoll(count, watching, trigger)));
			}
			return found;
		};
		const all = await costs('all');
		const window = await costs('window');
		const comparison = (setting: string, found: PollCost[]): Comparison => ({
			what: `one poll with ${counts.join(' / ')} events, ${setting}`,
			against: '–',
			target: 'reported',
			measured:
				`${found.map(({ requests }) => requests).join(' / ')} requests, ` +
				`${found.map(({ stateBytes }) => stateBytes).join(' / ')} bytes of state`,
			figures: {
				events: counts,
				requests: found.map(({ requests }) => requests),
				stateBytes: found.map(({ stateBytes }) => stateBytes),
			},
		});
		const events = counts.at(-1) ?? 0;
		const recorded = await step(
			report,
			`Execution record, ${events} events`,
			async () => await recordedStateBytes(bed, events),
		);
		const isFlat = new Set(window.map(({ requests, stateBytes }) => `${requests} ${stateBytes}`)).size === 1;
		return [
			{ ...comparison('all watched', all), target: '≤ 20 bytes per event', met: all.every(isSmall(counts)) },
			{
				...comparison(`Scheduled Within Days (${nearEvents} events in it)`, window),
				target: 'flat',
				met: isFlat,
			},
			{
				what: `copy of the state of ${events} watched events in each execution record of n8n`,
				against: '–',
				target: 'reported',
				measured: `${recorded} bytes`,
				figures: { events, recordedStateBytes: recorded },
			},
		];
	},
};

/**
 * Bytes of static data, as JSON, in the record of an execution that one change of an event started in a real n8n.
 *
 * @throws Error when n8n starts no execution
 */
async function recordedStateBytes(bed: TestBed, events: number): Promise<number> {
	const service = await startService();
	const n8n = await bed.n8n();
	try {
		const [event] = service.seedEvents(events);
		const credential = await n8n.rest.createCredential('videoHostingApi', 'Poll state', service.credential);
		const nodes = [videoHostingTrigger(credential), noOperation('Report')];
		const { id } = await n8n.rest.createWorkflow(workflowOf('Poll state', nodes));
		await n8n.rest.activateWorkflow(id);
		service.setEventStatus(event?.hash ?? '', 'LIVE');
		const execution = await poll('an execution for the change', 120_000, async () => {
			const [first] = await n8n.rest.executions(id);
			return first && (await n8n.rest.waitForExecution(first.id));
		});
		await n8n.rest.deactivateWorkflow(id);
		return Buffer.byteLength(JSON.stringify(execution.workflowData.staticData ?? null));
	} finally {
		await service.close();
	}
}

/** At most 20 bytes per event. */
function isSmall(counts: number[]): (cost: PollCost, position: number) => boolean {
	return ({ stateBytes }, position) => stateBytes <= 20 * (counts[position] ?? 0);
}
