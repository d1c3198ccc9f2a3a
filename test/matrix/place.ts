import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { startService, type RunningService, type ServiceSettings } from '../fakeService';
import { errorOf, type Execution } from '../n8n/execution';
import { startN8n, type RunningN8n } from '../n8n/instance';
import { packedPackage } from '../n8n/jestSetup';
import { n8n1, n8n2, type N8nRelease } from '../n8n/releases';
import type { StoredCredential, WorkflowJson } from '../n8n/rest';

/** Starts what the tests of one release need; all of it ends with them. */
export interface Place {
	release: N8nRelease;
	service: (settings?: Partial<ServiceSettings>) => Promise<RunningService>;
	/** @param env environment variables that win over those of all tests */
	n8n: (env?: Record<string, string>) => Promise<RunningN8n>;
	/** Has something ended or deleted after the tests. */
	endLater: (end: () => Promise<void> | void) => void;
}

/** n8n of both generations. The environment variable N8N_RELEASE selects one of them. */
const releases = [n8n2, n8n1];
const selected = process.env.N8N_RELEASE;

/** Longer than a download of n8n on a slow line, in milliseconds. */
export const startTimeout = 900_000;

/** Defines the same tests for each release. */
export function inEachRelease(define: (place: Place) => void, among = releases): void {
	for (const release of among) {
		const describeRelease = selected === undefined || selected === release.version ? describe : describe.skip;
		describeRelease(`n8n ${release.version}`, () => {
			const ends: Array<() => Promise<void> | void> = [];
			afterAll(async () => {
				for (const end of ends.reverse()) await end();
			}, 120_000);
			define({
				release,
				service: async (settings) => {
					const service = await startService(settings);
					ends.push(async () => await service.close());
					return service;
				},
				n8n: async (env) => {
					const n8n = await startN8n({ release, packageTarball: packedPackage(), env });
					ends.push(async () => await n8n.remove());
					return n8n;
				},
				endLater: (end) => void ends.push(end),
			});
		});
	}
}

/** @param more fields of n8n's own, such as the domains that the credential is limited to */
export async function credentialFor(
	n8n: RunningN8n,
	service: RunningService,
	more: object = {},
): Promise<StoredCredential> {
	const data = { ...service.credential, ...more };
	return await n8n.rest.createCredential('videoHostingApi', service.baseUrl, data);
}

/** Runs a new workflow by its manual trigger. Fails with n8n's error message when it fails. */
export async function runToSuccess(n8n: RunningN8n, workflow: WorkflowJson): Promise<Execution> {
	const execution = await n8n.rest.runToEnd(workflow);
	expect([workflow.name, errorOf(execution), execution.status]).toEqual([workflow.name, '', 'success']);
	return execution;
}

const certificates = join(__dirname, '..', 'fakeService', 'loopbackCertificate');
/** Self-signed, for localhost and 127.0.0.1. */
export const certificateFile = join(certificates, 'cert.pem');
export const tls = {
	key: readFileSync(join(certificates, 'key.pem'), 'utf8'),
	cert: readFileSync(certificateFile, 'utf8'),
};
