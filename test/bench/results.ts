import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Comparison } from './benchmark';
import type { MachineFacts } from './machine';

const repository = join(__dirname, '..', '..');

const columns = ['what', 'against', 'target', 'measured', 'ratio', 'verdict'] as const;

export type RunFacts = MachineFacts & { minutes: number };

/** The comparisons as a Markdown table whose columns line up in a terminal. */
export function table(comparisons: Comparison[]): string {
	const rows = [[...columns], ...comparisons.map(cells)];
	const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
	const [head = '', ...body] = rows.map(
		(row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
	);
	return [head, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...body].join('\n');
}

/** Writes docs/benchmarks.md and docs/benchmarks.json and the table in README.md; returns their paths below the repository. */
export function writeReport(facts: RunFacts, comparisons: Comparison[]): string[] {
	const files = {
		'docs/benchmarks.md': markdown(facts, comparisons),
		'docs/benchmarks.json': `${JSON.stringify({ ...facts, comparisons: comparisons.map(withVerdict) }, null, '\t')}\n`,
	};
	mkdirSync(join(repository, 'docs'), { recursive: true });
	for (const [file, text] of Object.entries(files)) writeFileSync(join(repository, file), text);
	const readme = join(repository, 'README.md');
	writeFileSync(readme, withTable(readFileSync(readme, 'utf8'), comparisons));
	return [...Object.keys(files), 'README.md'];
}

/** The README quotes the table between two marks. */
function withTable(readme: string, comparisons: Comparison[]): string {
	const [start, end] = ['<!-- benchmarks:start -->', '<!-- benchmarks:end -->'];
	const [before, rest] = readme.split(start);
	const after = rest?.split(end)[1];
	if (before === undefined || after === undefined) throw new Error(`README.md lacks ${start} or ${end}`);
	return `${before}${start}\n\n${table(comparisons)}\n\n${end}${after}`;
}

function cells(comparison: Comparison): string[] {
	const { what, against, target, measured, ratio } = comparison;
	return [what, against, target, measured, ratio === undefined ? '–' : ratio.toFixed(2), verdict(comparison)];
}

function verdict({ met }: Comparison): string {
	if (met === undefined) return '–';
	return met ? 'met' : 'missed';
}

function withVerdict(comparison: Comparison): object {
	const { what, against, target, measured, ratio, figures } = comparison;
	return { what, against, target, measured, ratio, verdict: verdict(comparison), figures };
}

function markdown(facts: RunFacts, comparisons: Comparison[]): string {
	const { date, processor, cores, memory, system, node, n8n, commit, loadBefore, minutes } = facts;
	return `# Benchmarks

Written by \`npm run bench\`; do not edit. Every line compares what was measured in this one run on this one machine: the
sides take turns, the first round is dropped, the figures are medians of the others. docs/benchmarks.json has every round.

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

- The service is the stand-in of this repository in a process of its own, with hashing off. Files are sparse, so the disk's
  speed is not part of the figures.
- **Outside n8n's engine** the node still runs in n8n-core's execution context. Every chunk of a file that Node reads is new
  memory. V8 lets 64 MB of it gather and then collects by walking all live objects, about 20 times per gigabyte: 10 MB of
  objects in a bare process, 48 MB with n8n-core, 180 MB in a whole n8n (\`--trace-gc\`, \`--cpu-prof\`). The node
  makes V8 run its cheap collection of new objects often enough that chunks do not gather
  (nodes/VideoHosting/transfer/source/scavengePacer.ts). Before it did (commit 7aee5ab, whose docs/benchmarks.md has the figures of
  a busier machine) it sent 0.68 of what the bare pipe does, and 152 MB/s in n8n. The lines "with n8n-core in its process" give the other sides the same memory to walk.
- **Over the shaped line** n8n's HTTP client opens a connection for each request (it makes a new agent each time), where
  Node's own agent keeps them: one round trip more per request. With one PATCH that is 0.1 s in all, with 16 MiB requests
  0.1 s in every 1.4 s. The bare pipe with a connection for each request (\`agent: false\` in
  test/bench/transfers/httpRequest.ts) is as slow: 10.6 MB/s, ratio 1.00. So leave Max Request Size at 0 unless a proxy before
  the service limits the body.
- **Memory** is the resident memory of n8n's process (VmHWM during the execution less VmRSS before it), after three uploads
  as warm-up. An upload of 1 MB shows what the execution itself takes, whatever is uploaded. Asking n8n whether an execution
  is over takes memory, too; the benchmark asks seldom. test/endToEnd/upload.test.ts measures without asking.
- **After a cut** bytes that were on their way are lost and have to be sent again, whoever sends them; those that the service
  had are not.`;
