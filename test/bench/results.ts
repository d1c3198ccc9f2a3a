import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { join } from 'node:path';

import { n8n2 } from '../n8n/releases';
import { read, repository } from '../pages';
import { median, readableMebibytes, readableSeconds, type Comparison } from './measure';

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
export function comparisonTable(comparisons: Comparison[]): string {
	const rows = comparisons.map(({ what, against, target, measured, ratio, met }) => [
		...[what, against, target, measured, ratio?.toFixed(2) ?? '–'],
		met ? 'met' : 'missed',
	]);
	return markdownTable([['what', 'against', 'target', 'measured', 'ratio', 'verdict'], ...rows]);
}

/** Writes docs/benchmarks.json, and what the pages show of it between two marks. */
export function writeResults(facts: Record<string, string>, comparisons: Comparison[]): void {
	const json = JSON.stringify({ facts, comparisons }, null, '\t');
	writeFileSync(join(repository, 'docs/benchmarks.json'), `${json}\n`);
	const measuredOn = markdownTable([['measured on', ''], ...Object.entries(facts)]);
	writeFigures('docs/benchmarks.md', `${comparisonTable(comparisons)}\n\n${measuredOn}`);
	writeFigures('README.md', keyFigures(comparisons));
}

function writeFigures(file: string, figures: string): void {
	const [start, end] = ['<!-- benchmarks:start -->', '<!-- benchmarks:end -->'];
	const [before, rest] = read(file).split(start);
	const after = rest?.split(end)[1];
	if (before === undefined || after === undefined) throw new Error(`${file} lacks ${start} or ${end}`);
	writeFileSync(join(repository, file), `${before}${start}\n\n${figures}\n\n${end}${after}`);
}

/** The three figures of the README. Throws when the results lack one of them. */
function keyFigures(comparisons: Comparison[]): string {
	const figure = (what: string, name: string) => {
		const figures = comparisons.find((comparison) => comparison.what === what)?.figures[name];
		if (figures === undefined) throw new Error(`docs/benchmarks.json lacks ${name} of "${what}"`);
		return Array.isArray(figures) ? median(figures) : figures;
	};
	const figures = (what: string, ...names: string[]) => names.map((name) => figure(what, name));
	const memoryTitle = "growth of n8n's peak memory (RSS), upload of 4 GB";
	const memory = figures(memoryTitle, 'bytes', 'httpRequestBytes');
	const cuts = 'bytes sent again after 10 cuts of a 1 GB upload';
	const sentAgain = figure(cuts, 'bytesReceived') - figure(cuts, 'size');
	const gets = figures('1000 × Event → Get', 'ours', 'theirs');
	return markdownTable([
		['', 'Video Hosting', 'HTTP Request'],
		['Memory that an upload of 4 GB adds to n8n', ...memory.map(readableMebibytes)],
		['Acknowledged bytes sent again after ten cuts of a 1 GB upload', String(sentAgain), 'no resume'],
		['Time of 1,000 × Event → Get', ...gets.map(readableSeconds)],
	]);
}

/** A Markdown table whose columns line up in a terminal, formatted as Prettier does; the first row is its head. */
function markdownTable(rows: string[][]): string {
	const [head = []] = rows;
	const widths = head.map((_, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)));
	const line = (row: string[]) =>
		`| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
	const rule = widths.map((width) => '-'.repeat(width));
	return [head, rule, ...rows.slice(1)].map(line).join('\n');
}
