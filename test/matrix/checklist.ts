import { markdownTable } from '../bench/markdownTable';

/** One line of the summary. */
export interface Row {
	/** The check it belongs to, as `--only` accepts it. */
	check: string;
	what: string;
	/** Release and, where it matters, mode. */
	n8n: string;
	/** What was measured, or why it failed. */
	figures: string;
	passed: boolean;
}

/** Collects what the checks find. A part that fails is a row like any other, and the next part runs. */
export class Checklist {
	readonly rows: Row[] = [];

	constructor(
		private readonly check: string,
		private readonly onRow: (row: Row) => void,
	) {}

	/** Runs `work` and keeps what it returns as the figures of a row; when it throws, the row contains the reason. */
	async row(what: string, n8n: string, work: () => Promise<string>): Promise<void> {
		const row = { check: this.check, what, n8n };
		try {
			this.add({ ...row, figures: await work(), passed: true });
		} catch (error) {
			this.add({ ...row, figures: error instanceof Error ? error.message : String(error), passed: false });
		}
	}

	private add(row: Row): void {
		this.rows.push(row);
		this.onRow(row);
	}
}

/** A Markdown table of all rows, the failed ones explained in full below it. */
export function summary(rows: Row[]): string {
	const header = ['check', 'what', 'n8n', 'result', 'figures'];
	const cells = rows.map(({ check, what, n8n, passed, figures }) => [
		check,
		what,
		n8n,
		passed ? 'ok' : 'FAILED',
		passed ? figures : 'see below',
	]);
	const failures = rows
		.filter(({ passed }) => !passed)
		.map(({ check, what, n8n, figures }) => `\nFAILED ${check}: ${what} (n8n ${n8n})\n${figures}`);
	return [markdownTable([header, ...cells]), ...failures].join('\n');
}
