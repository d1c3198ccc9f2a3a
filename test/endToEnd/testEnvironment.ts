import { startN8n, type RunningN8n } from '../n8n/instance';
import { packedPackage } from '../n8n/jestSetup';
import { n8n2 } from '../n8n/releases';
import type { StoredCredential } from '../n8n/rest';
import { startService, type RunningService, type ServiceSettings } from '../fakeService';

/** A fake service, and a real n8n that has the package and a credential for it. */
export interface TestEnvironment {
	service: RunningService;
	n8n: RunningN8n;
	credential: StoredCredential;
	remove(): Promise<void>;
}

/**
 * What every test in a real n8n begins with. Throws a `SetupError` when n8n does not start.
 *
 * @param env environment variables of n8n's process
 */
export async function setUpTestEnvironment(
	settings: Partial<ServiceSettings> = {},
	env: Record<string, string> = {},
): Promise<TestEnvironment> {
	const service = await startService(settings);
	try {
		const n8n = await startN8n({ release: n8n2, packageTarball: packedPackage(), env });
		const credential = await n8n.rest.createCredential(
			'videoHostingApi',
			'Video Hosting',
			service.credential,
		);
		const remove = async () => {
			await n8n.remove();
			await service.close();
		};
		return { service, n8n, credential, remove };
	} catch (error) {
		await service.close();
		throw error;
	}
}
