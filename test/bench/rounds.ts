import { step } from '../n8n/progress';
import type { BenchmarkRun, Comparison } from './benchmark';
import { readableThroughput, throughput } from './units';

/** One measurement of one side; each call is one round and returns what was measured in it. */
export type Side = () => Promise<number>;

/**
 * Measures all sides in turns (A B A B …), so that whatever else the machine does strikes each alike. One round more than
 * requested is run first and dropped, unless the sides are warm already. Returns each side's figures in the order of the rounds.
 */
export async function inTurns<Name extends string>(
	{ rounds, report, isWarm = false }: Pick<BenchmarkRun, 'rounds' | 'report'> & { isWarm?: boolean },
	title: string,
	sides: Record<Name, Side>,
): Promise<Record<Name, number[]>> {
	// Object.keys is typed for objects that may have more keys than their type; this one is a literal of the caller's.
	const names = Object.keys(sides) as Name[];
	// Every name gets its figures in the line that makes the object.
	const figures = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
	for (let round = isWarm ? 1 : 0; round <= rounds; round++) {
		await step(report, `${title}: ${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`}`, async () => {
			for (const name of names) {
				const figure = await sides[name]();
				if (round > 0) figures[name].push(figure);
			}
		});
	}
	return figures;
}

/** The middle one; of an even number the mean of the middle two. Throws when there are no values. */
export function median(figures: number[]): number {
	const sorted = [...figures].sort((a, b) => a - b);
	const upper = sorted[Math.floor(sorted.length / 2)];
	const lower = sorted[Math.ceil(sorted.length / 2) - 1];
	if (upper === undefined || lower === undefined) throw new Error('There is no median of nothing');
	return (lower + upper) / 2;
}

/** Ours divided by theirs, to the two digits after the point that such measurements carry. */
export function ratioOf(ours: number, theirs: number): number {
	return Number((ours / theirs).toFixed(2));
}

/**
 * One line of the table for each other side of an upload, by its name in the table and in the figures, with the least ratio
 * that is aimed at.
 *
 * @param times milliseconds that each side took, in each round
 */
export function compareThroughput<Name extends string>(
	what: string,
	bytes: number,
	times: Record<Name, number[]>,
	ours: Name,
	others: Array<[against: string, side: Name, least: number]>,
): Comparison[] {
	const speed = (side: Name) => throughput(bytes, median(times[side]));
	return others.map(([against, side, least]) => {
		const ratio = ratioOf(speed(ours), speed(side));
		return {
			what,
			against,
			target: `≥ ${least.toFixed(1)}`,
			measured: `${readableThroughput(speed(ours))} against ${readableThroughput(speed(side))}`,
			ratio,
			met: ratio >= least,
			figures: times,
		};
	});
}
