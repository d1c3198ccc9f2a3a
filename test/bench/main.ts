import { parseArgs } from 'node:util';

import { SetupError, type Report } from '../n8n/progress';
import type { Benchmark, Comparison } from './benchmark';
import { eventGet } from './benchmarks/eventGet';
import { eventUpdate } from './benchmarks/eventUpdate';
import { pollCost } from './benchmarks/pollCost';
import { slotIdle } from './benchmarks/slotIdle';
import { uploadBatch } from './benchmarks/uploadBatch';
import { uploadCuts } from './benchmarks/uploadCuts';
import { uploadHealth } from './benchmarks/uploadHealth';
import { uploadInN8n } from './benchmarks/uploadInN8n';
import { uploadMemory } from './benchmarks/uploadMemory';
import { uploadOutside } from './benchmarks/uploadOutside';
import { uploadShaped } from './benchmarks/uploadShaped';
import { machineFacts } from './machine';
import { readResults, table, toResult, writeReport } from './results';
import { TestBed } from './testBed';

const benchmarks: Benchmark[] = [
	uploadInN8n,
	uploadHealth,
	uploadOutside,
	uploadShaped,
	uploadMemory,
	uploadCuts,
	uploadBatch,
	slotIdle,
	eventGet,
	eventUpdate,
	pollCost,
];

const report: Report = (line) => process.stderr.write(`${line}\n`);

async function main(): Promise<void> {
	const { quick, only, report: isReportOnly } = flags(process.argv.slice(2));
	if (isReportOnly) {
		report(`Written: ${writeReport(readResults()).join(', ')}`);
		return;
	}
	const bed = new TestBed(report);
	const rounds = quick ? 1 : 3;
	const comparisons: Comparison[] = [];
	const started = Date.now();
	const facts = await machineFacts(bed);
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void bed.leave().finally(() => process.exit(130)));
	}
	try {
		for (const benchmark of benchmarks) {
			if (only.length > 0 && !only.includes(benchmark.id)) continue;
			report(`\n${benchmark.id}`);
			comparisons.push(...(await benchmark.run({ bed, report, rounds, quick })));
		}
	} finally {
		await bed.leave();
	}
	const results = comparisons.map(toResult);
	console.log(`\n${table(results)}`);
	if (quick || only.length > 0) {
		report(
			'\nNothing was written: only a full run writes docs/benchmarks.json, docs/benchmarks.md and README.md.',
		);
	} else {
		const minutes = (Date.now() - started) / 60_000;
		report(`\nWritten: ${writeReport({ ...facts, minutes, comparisons: results }).join(', ')}`);
	}
}

function flags(args: string[]): { quick: boolean; only: string[]; report: boolean } {
	const ids = benchmarks.map(({ id }) => id).join(', ');
	const usage = `npm run bench -- [--quick] [--only <id>]…   with one of: ${ids}\nnpm run bench -- --report   writes the pages from docs/benchmarks.json`;
	try {
		const { values } = parseArgs({
			args,
			options: {
				quick: { type: 'boolean', default: false },
				only: { type: 'string', multiple: true, default: [] },
				report: { type: 'boolean', default: false },
			},
		});
		const unknown = values.only.find((id) => !benchmarks.some((benchmark) => benchmark.id === id));
		if (unknown !== undefined) throw new Error(`There is no benchmark "${unknown}".`);
		return values;
	} catch (error) {
		throw new SetupError(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
	}
}

main().catch((error: unknown) => {
	console.error(error instanceof SetupError ? `\n${error.message}` : error);
	process.exitCode = 1;
});
