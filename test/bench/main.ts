import { parseArgs } from 'node:util';

import { SetupError, type Report } from '../n8n/progress';
import { eventGet } from './benchmarks/eventGet';
import { uploadBatch } from './benchmarks/uploadBatch';
import { uploadCuts, uploadLatency, uploadMemory, uploadThroughput } from './benchmarks/uploadInN8n';
import type { Comparison } from './measure';
import { comparisonTable, machineFacts, writeResults } from './results';
import { prepareTestBed, type Benchmark } from './testBed';

/** By the name that `--only` accepts. */
const benchmarks: Record<string, Benchmark> = {
	'upload-throughput': uploadThroughput,
	'upload-latency': uploadLatency,
	'upload-memory': uploadMemory,
	'upload-cuts': uploadCuts,
	'upload-batch': uploadBatch,
	'event-get': eventGet,
};
const usage = `npm run bench -- [--quick] [--only <name>]…   with one of: ${Object.keys(benchmarks).join(', ')}`;

const report: Report = (line) => process.stderr.write(`${line}\n`);

async function main(): Promise<void> {
	const options = {
		quick: { type: 'boolean', default: false },
		only: { type: 'string', multiple: true, default: Object.keys(benchmarks) },
	} as const;
	const { quick, only } = parseArgs({ options }).values;
	const chosen = Object.entries(benchmarks).filter(([name]) => only.includes(name));
	if (chosen.length < only.length) throw new SetupError(usage);
	const facts = machineFacts();
	const bed = await prepareTestBed(report);
	for (const signal of ['SIGINT', 'SIGTERM'] as const)
		process.once(signal, () => void bed.leave().finally(() => process.exit(130)));
	const comparisons: Comparison[] = [];
	try {
		for (const [name, benchmark] of chosen) {
			report(`\n${name}`);
			comparisons.push(...(await benchmark({ bed, report, rounds: quick ? 1 : 3, quick })));
		}
	} finally {
		await bed.leave();
	}
	console.log(`\n${comparisonTable(comparisons)}`);
	if (quick || chosen.length < Object.keys(benchmarks).length)
		report('\nNothing was written: only a full run writes.');
	else writeResults(facts, comparisons);
}

main().catch((error: unknown) => {
	console.error(error instanceof SetupError ? `\n${error.message}` : error);
	process.exitCode = 1;
});
