import { markdownTable } from './markdownTable';
import { median } from './rounds';
import { mebibyte, readableSeconds } from './units';
import type { Result } from './results';

/** What benchmarks/uploadMemory.ts, uploadCuts.ts and eventGet.ts call the lines that the README quotes. */
const MEMORY = "growth of n8n's peak memory (RSS), upload of 4 GB";
const CUTS = 'bytes sent again after 10 cuts of a 1 GB upload';
const GETS = '1000 × Event → Get';

/**
 * The three figures of the README as a Markdown table.
 *
 * @throws Error when the results lack one of them
 */
export function keyFigures(results: Result[]): string {
	const { memory, sentAgain, gets } = readableFigures(results);
	return markdownTable([
		['', 'Video Hosting', 'HTTP Request'],
		['Memory that an upload of 4 GB adds to n8n', ...memory],
		['Acknowledged bytes sent again after ten cuts of a 1 GB upload', sentAgain, 'no resume'],
		['Time of 1,000 × Event → Get', ...gets],
	]);
}

/** The same three figures as the sentences that begin the page of all figures. */
export function keySentences(results: Result[]): string {
	const { memory, sentAgain, gets } = readableFigures(results);
	return [
		`An upload of 4 GB adds ${memory[0]} to the memory of n8n; with the HTTP Request node it adds ${memory[1]}.`,
		`After ten cuts of a 1 GB upload, ${sentAgain} bytes that the service had acknowledged were sent again.`,
		`1,000 × Event → Get take ${gets[0]}, and ${gets[1]} with the HTTP Request node.`,
	].join('\n');
}

/** The figures of this package and, where there are any, of the HTTP Request node. */
function readableFigures(results: Result[]) {
	const memory = figuresOf(results, MEMORY, ['bytes', 'httpRequestBytes']);
	const cuts = figuresOf(results, CUTS, ['bytesReceived', 'size']);
	const gets = figuresOf(results, GETS, ['oursMilliseconds', 'httpRequestMilliseconds']);
	return {
		memory: [mebibytes(memory.bytes), mebibytes(memory.httpRequestBytes)],
		sentAgain: String(cuts.bytesReceived - cuts.size),
		gets: [readableSeconds(gets.oursMilliseconds), readableSeconds(gets.httpRequestMilliseconds)],
	};
}

/** Figures of one line by name; of several rounds, the median. */
function figuresOf<Name extends string>(
	results: Result[],
	what: string,
	names: Name[],
): Record<Name, number> {
	const figures = results.find((result) => result.what === what)?.figures;
	const entries = names.map((name) => {
		const figure = figures?.[name];
		if (figure === undefined) throw new Error(`docs/benchmarks.json lacks ${name} of "${what}"`);
		return [name, Array.isArray(figure) ? median(figure) : figure];
	});
	// Object.fromEntries does not keep the type of the keys.
	return Object.fromEntries(entries) as Record<Name, number>;
}

function mebibytes(bytes: number): string {
	return `${Math.round(bytes / mebibyte).toLocaleString('en-US')} MiB`;
}
