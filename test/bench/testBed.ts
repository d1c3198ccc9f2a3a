import { startServiceProcess } from '../fakeService/control';
import type { ServiceSettings } from '../fakeService/settings';
import { startN8n, type RunningN8n } from '../n8n/instance';
import { packPackage } from '../n8n/package';
import { step } from '../n8n/progress';
import type { Comparison } from './measure';

export interface BenchmarkRun {
	bed: TestBed;
	/** Rounds that count; one more is run before them and dropped. */
	rounds: number;
	/** Small sizes, to see that the programs work; such figures say nothing. */
	quick: boolean;
}

export type Benchmark = (run: BenchmarkRun) => Promise<Comparison[]>;

export type TestBed = Awaited<ReturnType<typeof prepareTestBed>>;
/** A fake service, and its credential in n8n. */
export type Place = Awaited<ReturnType<TestBed['serviceInN8n']>>;

/** What is measured on: a real n8n with the packed package, and fake services in processes of their own. */
export async function prepareTestBed() {
	await packPackage();
	const n8n = await step('Starting n8n', async () => await startN8n());
	return {
		/** A fake service without hashing, and its credential in an n8n. */
		serviceInN8n: async (settings: Partial<ServiceSettings> = {}, other?: RunningN8n) => {
			// Its processor time shall not limit what is measured, so it does not hash.
			const service = await startServiceProcess({ hashing: false, ...settings });
			const place = { n8n: other ?? n8n, service };
			const credential = await place.n8n.rest.createCredential(
				'videoHostingApi',
				'Benchmark',
				service.credential,
			);
			return { ...place, credential };
		},
		/** Ends n8n and deletes everything. The fake services end with this process. */
		leave: n8n.remove,
	};
}
