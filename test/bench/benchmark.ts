import type { Report } from '../n8n/progress';
import type { TestBed } from './testBed';

/** One line of the table: what a user gets, against what a user would otherwise pick. */
export interface Comparison {
	what: string;
	against: string;
	target: string;
	/** Both sides in their unit, ours first. */
	measured: string;
	/** Ours divided by theirs, as the target reads it; absent where the target is a plain number. */
	ratio?: number;
	/** Absent where the target sets no bound. */
	met?: boolean;
	/** Every figure behind it, in the units that their names say. */
	figures?: Record<string, number | number[]>;
}

export interface BenchmarkRun {
	bed: TestBed;
	report: Report;
	/** Rounds that count; one more is run before them and dropped. */
	rounds: number;
	/** Small sizes, to see that the programs work; such figures say nothing. */
	quick: boolean;
}

export interface Benchmark {
	/** What `--only` accepts. */
	id: string;
	run(run: BenchmarkRun): Promise<Comparison[]>;
}
