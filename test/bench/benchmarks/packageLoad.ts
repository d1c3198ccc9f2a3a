import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { Benchmark } from '../benchmark';
import { provideN8nWorkflow, sizeOfFolder } from '../installedPackage';
import { inTurns, median } from '../rounds';
import { writeStarterPackage } from '../starterPackage';
import { readableKilobytes } from '../units';

const run = promisify(execFile);

/** What n8n needs at its start to load the package, and what the package occupies on the disk. */
export const packageLoad: Benchmark = {
	id: 'package-load',
	async run({ bed, report, rounds }) {
		const node = await bed.node();
		const ours = await bed.installedPackage();
		const modules = join(bed.temporaryFolder('starter'), 'node_modules');
		provideN8nWorkflow(modules);
		const starter = join(modules, 'starter');
		writeStarterPackage(starter);

		const heaps: Record<string, number[]> = { package: [], starter: [] };
		const load = async (name: 'package' | 'starter', folder: string) => {
			const { stdout } = await run(node, ['--expose-gc', join(__dirname, '..', 'loadPackage.cjs'), folder]);
			const { milliseconds, bytes }: { milliseconds: number; bytes: number } = JSON.parse(stdout);
			heaps[name]?.push(bytes);
			return milliseconds;
		};
		// Cheap, and a single load varies much.
		const times = await inTurns({ report, rounds: rounds * 5 }, 'Loading the package', {
			package: async () => await load('package', ours),
			starter: async () => await load('starter', starter),
		});
		const against = 'an n8n starter package with one node';
		const [time, timeOfStarter] = [median(times.package), median(times.starter)];
		const [heap, heapOfStarter] = [median(heaps.package ?? []), median(heaps.starter ?? [])];
		const [size, sizeOfStarter] = [sizeOfFolder(ours), sizeOfFolder(starter)];
		return [
			{
				what: 'time to load the package',
				against,
				target: '≤ 30 ms',
				measured: `${time.toFixed(1)} ms against ${timeOfStarter.toFixed(1)} ms`,
				ratio: time / timeOfStarter,
				met: time <= 30,
				figures: times,
			},
			{
				what: 'memory (heap) that the loaded package keeps',
				against,
				target: 'reported',
				measured: `${readableKilobytes(heap)} against ${readableKilobytes(heapOfStarter)}`,
				ratio: heap / heapOfStarter,
				figures: heaps,
			},
			{
				what: 'installed size',
				against,
				target: '≤ 400 KB',
				measured: `${readableKilobytes(size)} against ${readableKilobytes(sizeOfStarter)}`,
				ratio: size / sizeOfStarter,
				met: size <= 400_000,
				figures: { bytes: size, bytesOfStarter: sizeOfStarter },
			},
		];
	},
};
