import { step } from '../../n8n/progress';
import { nearEvents, pollCost as costOfPoll, type PollCost } from '../../trigger/pollCost';
import type { Benchmark, Comparison } from '../benchmark';
import { builtTrigger } from '../installedPackage';

/** What one poll of the trigger requests and remembers, by the number of events in the plan. */
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
		const spread = (figures: number[]) => Math.max(...figures) - Math.min(...figures);
		// A number in the state may take a digit more.
		const isFlat =
			spread(window.map(({ requests }) => requests)) === 0 &&
			spread(window.map(({ stateBytes }) => stateBytes)) < 10;
		return [
			{ ...comparison('all watched', all), target: '≤ 20 bytes per event', met: all.every(isSmall(counts)) },
			{
				...comparison(`Scheduled Within Days (${nearEvents} events in it)`, window),
				target: 'flat',
				met: isFlat,
			},
		];
	},
};

/** Issue 5: at most 20 bytes per event. */
function isSmall(counts: number[]): (cost: PollCost, position: number) => boolean {
	return ({ stateBytes }, position) => stateBytes <= 20 * (counts[position] ?? 0);
}
