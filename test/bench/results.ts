import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { join } from 'node:path';

import { format } from 'prettier';

import { n8n2 } from '../n8n/releases';
import { read, repository } from '../pages';
import type { Comparison } from './measure';

/** Where and when it was measured; keys and values are shown as they are. */
export function machineFacts(): Record<string, string> {
	const [first] = cpus();
	const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: __dirname, encoding: 'utf8' });
	return {
		date: new Date().toISOString().slice(0, 10),
		processor: `${first?.model.trim()}, ${cpus().length} cores`,
		memory: `${Math.round(totalmem() / 1024 ** 3)} GiB`,
		system: `${process.platform} ${release()}`,
		n8n: `${n8n2.version} on Node ${n8n2.node.major}`,
		commit: commit.trim(),
		'load before the run': (loadavg()[0] ?? NaN).toFixed(1),
	};
}

/** The comparisons as a Markdown table. */
export async function comparisonTable(comparisons: Comparison[]): Promise<string> {
	const rows = comparisons.map(({ what, against, target, measured, ratio, met }) => [
		...[what, against, target, measured, ratio?.toFixed(2) ?? '–'],
		met ? 'met' : 'missed',
	]);
	return await markdownTable([['what', 'against', 'target', 'measured', 'ratio', 'verdict'], ...rows]);
}

/** Writes docs/benchmarks.json, and what the pages show of it between two marks. */
export async function writeResults(facts: Record<string, string>, comparisons: Comparison[]): Promise<void> {
	const json = JSON.stringify({ facts, comparisons }, null, '\t');
	writeFileSync(join(repository, 'docs/benchmarks.json'), `${json}\n`);
	const measuredOn = Object.entries(facts).map(([name, fact]) => `- ${name}: ${fact}`);
	writeFigures('docs/benchmarks.md', `${await comparisonTable(comparisons)}\n\n${measuredOn.join('\n')}`);
	const rows = comparisons.flatMap(({ readme }) => (readme ? [readme] : []));
	writeFigures('README.md', await markdownTable([['', 'Video Hosting', 'HTTP Request'], ...rows]));
}

function writeFigures(file: string, figures: string): void {
	const [start, end] = ['<!-- benchmarks:start -->', '<!-- benchmarks:end -->'];
	const [before, rest] = read(file).split(start);
	const after = rest?.split(end)[1];
	if (before === undefined || after === undefined) throw new Error(`${file} lacks ${start} or ${end}`);
	writeFileSync(join(repository, file), `${before}${start}\n\n${figures}\n\n${end}${after}`);
}

/** A Markdown table in Prettier's format; the first row is its head. */
async function markdownTable([head = [], ...rows]: string[][]): Promise<string> {
	const lines = [head, head.map(() => '-'), ...rows].map((row) => `| ${row.join(' | ')} |`);
	return (await format(lines.join('\n'), { parser: 'markdown' })).trim();
}
