import { parseArgs } from 'node:util';

import { SetupError, type Report } from '../n8n/progress';
import { eventGet } from './benchmarks/eventGet';
import { uploadBatch } from './benchmarks/uploadBatch';
import { uploadCuts, uploadLatency, uploadMemory, uploadThroughput } from './benchmarks/uploadInN8n';
import { uploadOutside } from './benchmarks/uploadOutside';
import { uploadWorkers } from './benchmarks/uploadWorkers';
import type { Comparison } from './measure';
import { comparisonTable, machineFacts, readResults, writeResults } from './results';
import { TestBed, type Benchmark } from './testBed';

/** By the name that `--only` accepts. */
const benchmarks: Record<string, Benchmark> = {
	'upload-throughput': uploadThroughput,
	'upload-latency': uploadLatency,
	'upload-outside-n8n': uploadOutside,
	'upload-memory': uploadMemory,
	'upload-cuts': uploadCuts,
	'upload-batch': uploadBatch,
	'upload-workers': uploadWorkers,
	'event-get': eventGet,
};
const usage = `npm run bench -- [--quick] [--only <name>]…   with one of: ${Object.keys(benchmarks).join(', ')}
npm run bench -- --report   writes the pages from docs/benchmarks.json`;

const report: Report = (line) => process.stderr.write(`${line}\n`);

async function main(): Promise<void> {
	const options = optionsIn(process.argv.slice(2));
	if (options.report) {
		writeResults(readResults());
		return;
	}
	const facts = machineFacts();
	const bed = await TestBed.prepare(report);
	for (const signal of ['SIGINT', 'SIGTERM'] as const)
		process.once(signal, () => void bed.leave().finally(() => process.exit(130)));
	const run = { bed, report, rounds: options.quick ? 1 : 3, quick: options.quick };
	const comparisons: Comparison[] = [];
	try {
		for (const [name, benchmark] of Object.entries(benchmarks)) {
			if (options.only.length > 0 && !options.only.includes(name)) continue;
			report(`\n${name}`);
			comparisons.push(...(await benchmark(run)));
		}
	} finally {
		await bed.leave();
	}
	console.log(`\n${comparisonTable(comparisons)}`);
	if (options.quick || options.only.length > 0) report('\nNothing was written: only a full run writes.');
	else writeResults({ facts, comparisons });
}

function optionsIn(args: string[]): { quick: boolean; only: string[]; report: boolean } {
	try {
		const { values } = parseArgs({
			args,
			options: {
				quick: { type: 'boolean', default: false },
				only: { type: 'string', multiple: true, default: [] },
				report: { type: 'boolean', default: false },
			},
		});
		const unknown = values.only.find((name) => !Object.hasOwn(benchmarks, name));
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
