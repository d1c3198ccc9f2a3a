import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Comparison } from './benchmark';
import { keyFigures, keySentences } from './keyFigures';
import type { MachineFacts } from './machine';
import { markdownTable } from './markdownTable';

const repository = join(__dirname, '..', '..');

const columns = ['what', 'against', 'target', 'measured', 'ratio', 'verdict'] as const;

type RunFacts = MachineFacts & { minutes: number };

/** A comparison as docs/benchmarks.json contains it. */
export type Result = Omit<Comparison, 'met'> & { verdict: 'met' | 'missed' | '–' };

/**
 * Content of docs/benchmarks.json. A remark is written by hand where the code has changed since the run; the next full run
 * leaves it out.
 */
export type Results = RunFacts & { remark?: string; comparisons: Result[] };

export function toResult({ met, ...comparison }: Comparison): Result {
	return { ...comparison, verdict: met === undefined ? '–' : met ? 'met' : 'missed' };
}

/** The comparisons as a Markdown table. */
export function table(results: Result[]): string {
	return markdownTable([[...columns], ...results.map(cells)]);
}

/** The results of the last full run. */
export function readResults(): Results {
	// Written by writeReport().
	return JSON.parse(readFileSync(join(repository, 'docs', 'benchmarks.json'), 'utf8')) as Results;
}

/**
 * Writes docs/benchmarks.json, and the pages that show its figures.
 *
 * @returns the files' paths below the repository
 */
export function writeReport(results: Results): string[] {
	mkdirSync(join(repository, 'docs'), { recursive: true });
	const files = { 'docs/benchmarks.json': `${JSON.stringify(results, null, '\t')}\n`, ...pages(results) };
	for (const [file, text] of Object.entries(files)) writeFileSync(join(repository, file), text);
	return Object.keys(files);
}

/** The pages that show the figures, as they should be: text by path below the repository. */
export function pages(results: Results): Record<'docs/benchmarks.md' | 'README.md', string> {
	const readme = readFileSync(join(repository, 'README.md'), 'utf8');
	return {
		'docs/benchmarks.md': markdown(results),
		'README.md': withKeyFigures(readme, results.comparisons),
	};
}

/** The README quotes the key figures between two marks. */
function withKeyFigures(readme: string, results: Result[]): string {
	const [start, end] = ['<!-- benchmarks:start -->', '<!-- benchmarks:end -->'];
	const [before, rest] = readme.split(start);
	const after = rest?.split(end)[1];
	if (before === undefined || after === undefined) throw new Error(`README.md lacks ${start} or ${end}`);
	return `${before}${start}\n\n${keyFigures(results)}\n\n${end}${after}`;
}

function cells({ what, against, target, measured, ratio, verdict }: Result): string[] {
	return [what, against, target, measured, ratio === undefined ? '–' : ratio.toFixed(2), verdict];
}

function markdown({ comparisons, remark, ...facts }: Results): string {
	const { date, processor, cores, memory, system, node, n8n, commit, loadBefore, minutes } = facts;
	return `# Benchmarks

${keySentences(comparisons)}

Written by \`npm run bench\` from [benchmarks.json](benchmarks.json), which contains every round; do not edit. All figures come from
one run on one machine: the two sides of a line take turns, the first round is dropped, and the figure is the median of the others.
${remark === undefined ? '' : `\n**${remark}**\n`}
${table(comparisons)}

${notes}

| | |
|---|---|
| date | ${date} |
| processor | ${processor}, ${cores} cores |
| memory | ${(memory / 1024 ** 3).toFixed(0)} GiB |
| system | ${system} |
| Node | ${node} |
| n8n | ${n8n} |
| commit | ${commit} |
| load before the run | ${loadBefore.toFixed(1)} |
| duration of the run | ${minutes.toFixed(0)} minutes |
`;
}

const notes = `## How to read it

- The service is the fake service of this repository in a process of its own, with hashing off. Files are sparse, so the disk's
  speed is not part of the figures.
- **Outside n8n's engine** the node still runs in n8n-core's execution context. Every chunk of a file that Node reads is new
  memory. V8 lets 64 MB of it gather and then walks all live objects to collect it, about 20 times per gigabyte: 10 MB of
  objects in a bare process, 48 MB with n8n-core, 180 MB in a whole n8n (\`--trace-gc\`, \`--cpu-prof\`). The node gives the memory
  of a chunk back once the chunk has left
  ([chunkMemory.ts](../nodes/VideoHosting/sources/chunkMemory.ts)). In the lines "with n8n-core in its process" V8 has
  the same objects to walk on the other side.
- **Over the shaped line** n8n's HTTP client opens a connection for each request, where Node's own agent keeps them: one round
  trip more per request. With one PATCH that is 0.1 s in total, with 16 MiB requests 0.1 s in every 1.4 s. The bare pipe is as slow with a
  connection for each request (\`agent: false\` in [httpRequest.ts](../test/bench/transfers/httpRequest.ts)). So leave
  Max Request Size at 0 unless a proxy in front of the service limits the body.
- **Memory** is the resident memory of n8n's process (VmHWM during the execution minus VmRSS before it), after three uploads
  as warm-up. An upload of 1 MB shows what the execution itself takes. To ask n8n whether an execution has ended takes memory, too,
  so the benchmark asks seldom.
- **After a cut**, bytes that were on their way are lost, and every client has to send them again. Bytes that the service
  acknowledged are not sent again.`;
