import { parseArgs } from 'node:util';

import { fail, report } from '../n8n/progress';
import { eventGet } from './benchmarks/eventGet';
import { uploadBatch } from './benchmarks/uploadBatch';
import { uploadCuts, uploadLatency, uploadMemory, uploadThroughput } from './benchmarks/uploadInN8n';
import type { Comparison } from './measure';
import { comparisonTable, machineFacts, writeResults } from './results';
import { prepareTestBed, type Benchmark } from './testBed';

const benchmarks: Record<string, Benchmark> = {
	'upload-throughput': uploadThroughput,
	'upload-latency': uploadLatency,
	'upload-memory': uploadMemory,
	'upload-cuts': uploadCuts,
	'upload-batch': uploadBatch,
	'event-get': eventGet,
};

async function main(): Promise<void> {
	const { quick } = parseArgs({ options: { quick: { type: 'boolean', default: false } } }).values;
	const facts = machineFacts();
	const bed = await prepareTestBed();
	for (const signal of ['SIGINT', 'SIGTERM'] as const)
		process.once(signal, () => void bed.leave().finally(() => process.exit(130)));
	const comparisons: Comparison[] = [];
	try {
		for (const [name, benchmark] of Object.entries(benchmarks)) {
			report(`\n${name}`);
			comparisons.push(...(await benchmark({ bed, rounds: quick ? 1 : 3, quick })));
		}
	} finally {
		await bed.leave();
	}
	console.log(`\n${comparisonTable(comparisons)}`);
	if (quick) report('\nNothing was written: only a full run writes.');
	else writeResults(facts, comparisons);
}

main().catch(fail);
