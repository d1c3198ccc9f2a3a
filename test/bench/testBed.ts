import { rmSync } from 'node:fs';
import { dirname } from 'node:path';

import { startServiceProcess, type ServiceProcess } from '../fakeService/control';
import type { ServiceSettings } from '../fakeService/settings';
import { startN8n, type RunningN8n } from '../n8n/instance';
import { packPackage } from '../n8n/package';
import type { Report } from '../n8n/progress';
import { n8n2 } from '../n8n/releases';
import type { StoredCredential } from '../n8n/rest';
import type { Comparison } from './measure';

export interface BenchmarkRun {
	bed: TestBed;
	report: Report;
	/** Rounds that count; one more is run before them and dropped. */
	rounds: number;
	/** Small sizes, to see that the programs work; such figures say nothing. */
	quick: boolean;
}

export type Benchmark = (run: BenchmarkRun) => Promise<Comparison[]>;

/** What is measured on: the packed package, a real n8n with it, and fake services in processes of their own. */
export class TestBed {
	private readonly left: Array<() => Promise<void> | void> = [];

	private constructor(
		/** Path of the package as `npm pack` makes it. */
		private readonly tarball: string,
		private readonly report: Report,
	) {
		this.endLater(() => rmSync(dirname(tarball), { recursive: true, force: true }));
	}

	private n8nOnce: Promise<RunningN8n> | undefined;

	static async prepare(report: Report): Promise<TestBed> {
		return new TestBed(await packPackage(report), report);
	}

	/** A fake service without hashing, and its credential in the one n8n of all benchmarks. */
	async serviceInN8n(
		settings: Partial<ServiceSettings> = {},
	): Promise<{ n8n: RunningN8n; service: ServiceProcess; credential: StoredCredential }> {
		this.n8nOnce ??= startN8n({ release: n8n2, packageTarball: this.tarball, report: this.report });
		const n8n = await this.n8nOnce;
		// Its processor time shall not limit what is measured, so it does not hash.
		const service = await startServiceProcess({ hashing: false, ...settings });
		this.endLater(async () => await service.stop());
		const credential = await n8n.rest.createCredential('videoHostingApi', 'Benchmark', service.credential);
		return { n8n, service, credential };
	}

	private endLater(end: () => Promise<void> | void): void {
		this.left.push(end);
	}

	/** Ends and deletes everything, what came last first. */
	async leave(): Promise<void> {
		for (let next = this.left.pop(); next !== undefined; next = this.left.pop()) await next();
		await (await this.n8nOnce)?.remove();
	}
}
