import { step } from '../n8n/progress';

/** One line of the table: what a user gets, against what a user would otherwise pick. */
export interface Comparison {
	what: string;
	against: string;
	target: string;
	/** Both sides in their unit, ours first. */
	measured: string;
	/** Ours divided by theirs, to the two digits after the point that such measurements carry; absent where the target is a plain number. */
	ratio?: number;
	/** Whether the target was reached. */
	met: boolean;
	/** Every figure behind it, in the unit of `measured`, or in bytes, or milliseconds for seconds. */
	figures: Record<string, number | number[]>;
	/** Its row in the README: what it is, ours and theirs. */
	readme?: [what: string, ours: string, theirs: string];
}

export const megabyte = 1e6;
export const gigabyte = 1e9;
export const mebibyte = 1024 * 1024;

/**
 * Measures all sides in turns (A B A B …), so that whatever else the machine does strikes each alike. One round more than
 * requested is run first and dropped. Returns each side's figures in the order of the rounds.
 */
export async function inTurns<Name extends string>(
	rounds: number,
	title: string,
	sides: Record<Name, () => Promise<number>>,
): Promise<Record<Name, number[]>> {
	// Object.keys is typed for objects that may have more keys than their type; this one is a literal of the caller's.
	const names = Object.keys(sides) as Name[];
	// Every name gets its figures in the line that makes the object.
	const figures = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
	for (let round = 0; round <= rounds; round++) {
		await step(`${title}: ${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`}`, async () => {
			for (const name of names) {
				const figure = await sides[name]();
				if (round > 0) figures[name].push(figure);
			}
		});
	}
	return figures;
}

/**
 * Measures an upload or a node of this package, and what a user would otherwise pick, in turns.
 *
 * @param compared `inReadme` is its title in the README, if it is there
 * @param show writes a figure with its unit
 * @param isMet whether our figure, and its ratio to theirs, reach the target
 */
export async function compare(
	rounds: number,
	{ inReadme, ...compared }: Pick<Comparison, 'what' | 'against' | 'target'> & { inReadme?: string },
	sides: Record<'ours' | 'theirs', () => Promise<number>>,
	show: (figure: number) => string,
	isMet: (ours: number, ratio: number) => boolean,
): Promise<Comparison> {
	const figures = await inTurns(rounds, compared.what, sides);
	const [ours, theirs] = [median(figures.ours), median(figures.theirs)];
	const ratio = Number((ours / theirs).toFixed(2));
	const measured = `${show(ours)} against ${show(theirs)}`;
	const readme: Comparison['readme'] = inReadme ? [inReadme, show(ours), show(theirs)] : undefined;
	return { ...compared, measured, ratio, met: isMet(ours, ratio), figures, readme };
}

/** The middle one; of an even number the upper of the middle two. Throws when there are no figures. */
export function median(figures: number[]): number {
	const middle = [...figures].sort((a, b) => a - b)[Math.floor(figures.length / 2)];
	if (middle === undefined) throw new Error('There is no median of nothing');
	return middle;
}

export function readableMebibytes(bytes: number): string {
	return `${Math.round(bytes / mebibyte).toLocaleString('en-US')} MiB`;
}

export function readableSeconds(milliseconds: number): string {
	return `${rounded(milliseconds / 1000)} s`;
}

/** Three digits are as many as these measurements carry. */
export function rounded(figure: number): string {
	return Math.abs(figure) >= 100 ? figure.toFixed(0) : String(Number(figure.toPrecision(3)));
}
