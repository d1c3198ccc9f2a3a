import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import { startService, type RunningService, type ServiceSettings } from '../fakeService';
import { installN8n } from '../n8n/installN8n';
import { owner, RunningN8n, startN8n } from '../n8n/instance';
import { packedPackage, sharedN8nFile } from '../n8n/jestSetup';
import { withLock } from '../n8n/lock';
import { n8n2 } from '../n8n/releases';
import type { StoredCredential } from '../n8n/rest';

/** A fake service, and a real n8n that has the package and a credential for it. */
export interface TestEnvironment {
	service: RunningService;
	n8n: RunningN8n;
	credential: StoredCredential;
	remove(): Promise<void>;
}

/**
 * What a test begins with that restarts n8n or measures it: an n8n of its own. Throws a `SetupError` when n8n does not start.
 *
 * @param env environment variables of n8n's process
 */
export async function setUpTestEnvironment(
	settings: Partial<ServiceSettings> = {},
	env: Record<string, string> = {},
): Promise<TestEnvironment> {
	const n8n = await startN8n({ release: n8n2, packageTarball: packedPackage(), env });
	return await environmentIn(n8n, settings, async () => await n8n.remove());
}

/** What all other tests begin with: a service of their own, and the n8n that they share. */
export async function joinTestEnvironment(settings: Partial<ServiceSettings> = {}): Promise<TestEnvironment> {
	return await environmentIn(await sharedN8n(), settings, async () => {});
}

/** Zones in which nothing else is: not that of n8n's process, nor n8n's default for workflows. */
const zones = { TZ: 'Asia/Kolkata', GENERIC_TIMEZONE: 'Europe/Berlin' };

/** The n8n that several test files use at the same time. The first one starts it, and Jest's globalTeardown ends it. */
export async function sharedN8n(): Promise<RunningN8n> {
	const file = sharedN8nFile();
	await withLock(
		`${file}.lock`,
		'the start of n8n',
		() => {},
		async () => {
			if (existsSync(file)) return;
			const tarball = packedPackage();
			const n8n = await startN8n({ release: n8n2, packageTarball: tarball, env: zones, isShared: true });
			const { userFolder, ports, pid } = n8n;
			writeFileSync(file, JSON.stringify({ userFolder, ports, pid }));
		},
	);
	const { userFolder, ports }: Pick<RunningN8n, 'userFolder' | 'ports'> = JSON.parse(
		readFileSync(file, 'utf8'),
	);
	const n8n = new RunningN8n(await installN8n(n8n2, () => {}), userFolder, ports);
	await n8n.session.signIn(owner);
	return n8n;
}

async function environmentIn(
	n8n: RunningN8n,
	settings: Partial<ServiceSettings>,
	removeN8n: () => Promise<void>,
): Promise<TestEnvironment> {
	const service = await startService(settings);
	const credential = await n8n.rest.createCredential('videoHostingApi', 'Video Hosting', service.credential);
	const remove = async () => {
		await removeN8n();
		await service.close();
	};
	return { service, n8n, credential, remove };
}
