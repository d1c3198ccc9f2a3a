import { parseArgs } from 'node:util';

import { fail, report } from '../n8n/progress';
import { eventGet } from './benchmarks/eventGet';
import { uploadBatch } from './benchmarks/uploadBatch';
import { uploadCuts, uploadLatency, uploadMemory, uploadThroughput } from './benchmarks/uploadInN8n';
import type { Comparison } from './measure';
import { comparisonTable, machineFacts, writeResults } from './results';
import { prepareTestBed, type Benchmark } from './testBed';

const benchmarks: Benchmark[] = [
	uploadThroughput,
	uploadLatency,
	uploadMemory,
	uploadCuts,
	uploadBatch,
	eventGet,
];

async function main(): Promise<void> {
	const { quick } = parseArgs({ options: { quick: { type: 'boolean', default: false } } }).values;
	const facts = machineFacts();
	const bed = await prepareTestBed();
	for (const signal of ['SIGINT', 'SIGTERM'] as const)
		process.once(signal, () => void bed.leave().finally(() => process.exit(130)));
	const comparisons: Comparison[] = [];
	try {
		for (const benchmark of benchmarks) {
			report(`\n${benchmark.name}`);
			comparisons.push(...(await benchmark({ bed, rounds: quick ? 1 : 3, quick })));
		}
	} finally {
		await bed.leave();
	}
	console.log(`\n${await comparisonTable(comparisons)}`);
	if (quick) report('\nNothing was written: only a full run writes.');
	else await writeResults(facts, comparisons);
}

main().catch(fail);
