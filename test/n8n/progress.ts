/** Shows a line to the person who typed the command; Jest would add to console.log where it was called. */
export function report(line: string): void {
	process.stderr.write(`${line}\n`);
}

/** A failure that the person who typed the command can fix; its message explains how, so no stack trace is shown for it. */
export class SetupError extends Error {
	override name = 'SetupError';
}

/** Shows why a command failed, and has it end with 1. */
export function fail(error: unknown): void {
	console.error(error instanceof SetupError ? `\n${error.message}` : error);
	process.exitCode = 1;
}

/** Runs `work`, reporting its start, a line every ten seconds, and its end, each with the seconds elapsed. */
export async function step<Result>(title: string, work: () => Promise<Result>): Promise<Result> {
	const started = Date.now();
	const elapsed = () => `${Math.round((Date.now() - started) / 1000)} s`;
	report(`${title} …`);
	const ticking = setInterval(() => report(`  ${title}: ${elapsed()} so far`), 10_000);
	try {
		const result = await work();
		report(`  ${title}: done in ${elapsed()}`);
		return result;
	} finally {
		clearInterval(ticking);
	}
}
