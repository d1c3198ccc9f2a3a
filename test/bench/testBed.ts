import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { startN8n, type RunningN8n } from '../n8n/instance';
import { packPackage } from '../n8n/package';
import type { Report } from '../n8n/progress';
import { installN8n } from '../n8n/installN8n';
import { n8n2 } from '../n8n/releases';
import type { StoredCredential } from '../n8n/rest';
import { startServiceProcess, type ServiceProcess } from '../fakeService/control';
import type { ServiceSettings } from '../fakeService/settings';
import { installPackage } from './installedPackage';

/** What is measured on: the packed package, a real n8n with it, and fake services in processes of their own. */
export class TestBed {
	private tarballOnce: Promise<string> | undefined;

	private installedOnce: Promise<string> | undefined;

	private n8nOnce: Promise<RunningN8n> | undefined;

	private readonly left: Array<() => Promise<void> | void> = [];

	readonly release = n8n2;

	constructor(private readonly report: Report) {}

	/** Path of the package as `npm pack` makes it. */
	async tarball(): Promise<string> {
		this.tarballOnce ??= packPackage(this.report).then((tarball) => {
			this.endLater(() => rmSync(dirname(tarball), { recursive: true, force: true }));
			return tarball;
		});
		return await this.tarballOnce;
	}

	/** Folder of the package as n8n installs it, outside any n8n. */
	async installedPackage(): Promise<string> {
		this.installedOnce ??= this.tarball().then((tarball) =>
			installPackage(tarball, this.temporaryFolder('package')),
		);
		return await this.installedOnce;
	}

	/** Path of the Node executable that n8n runs on. */
	async node(): Promise<string> {
		return (await installN8n(this.release, this.report)).node;
	}

	/** One n8n for all benchmarks. */
	async n8n(): Promise<RunningN8n> {
		this.n8nOnce ??= this.tarball().then(async (packageTarball) => {
			const userFolder = this.temporaryFolder('n8n');
			const { release, report } = this;
			const n8n = await startN8n({ release, packageTarball, userFolder, report });
			this.endLater(async () => await n8n.stop());
			return n8n;
		});
		return await this.n8nOnce;
	}

	/** A service without hashing: its processor time shall not limit what is measured. */
	async service(settings: Partial<ServiceSettings> = {}): Promise<ServiceProcess> {
		const service = await startServiceProcess({ hashing: false, ...settings });
		this.endLater(async () => await service.stop());
		return service;
	}

	/** A service, and the credential for it in the n8n of {@link n8n}. */
	async serviceInN8n(
		settings: Partial<ServiceSettings> = {},
	): Promise<{ n8n: RunningN8n; service: ServiceProcess; credential: StoredCredential }> {
		const n8n = await this.n8n();
		const service = await this.service(settings);
		const credential = await n8n.rest.createCredential('videoHostingApi', 'Benchmark', service.credential);
		return { n8n, service, credential };
	}

	/** A folder that is deleted when the test bed is left. */
	temporaryFolder(name: string): string {
		const folder = mkdtempSync(join(tmpdir(), `n8n-nodes-video-hosting-bench-${name}-`));
		this.endLater(() => rmSync(folder, { recursive: true, force: true }));
		return folder;
	}

	/** Has something ended or deleted when the test bed is left. */
	endLater(end: () => Promise<void> | void): void {
		this.left.push(end);
	}

	/** Ends and deletes everything, what came last first. */
	async leave(): Promise<void> {
		for (let next = this.left.pop(); next !== undefined; next = this.left.pop()) await next();
	}
}
