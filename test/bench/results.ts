import { mkdirSync, writeFileSync } from 'node:fs';
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

/** Writes docs/benchmarks.md and docs/benchmarks.json; returns their paths below the repository. */
export function writeReport(facts: RunFacts, comparisons: Comparison[]): string[] {
	const files = {
		'docs/benchmarks.md': markdown(facts, comparisons),
		'docs/benchmarks.json': `${JSON.stringify({ ...facts, comparisons: comparisons.map(withVerdict) }, null, '\t')}\n`,
	};
	mkdirSync(join(repository, 'docs'), { recursive: true });
	for (const [file, text] of Object.entries(files)) writeFileSync(join(repository, file), text);
	return Object.keys(files);
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
