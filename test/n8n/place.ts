import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { startService, type RunningService, type ServiceSettings } from '../fakeService';
import { startN8n, type RunningN8n } from './instance';
import { n8n2, releases } from './releases';

/** How long n8n, its workers and servers may take to start, in milliseconds. */
export const startTimeout = 300_000;

/** Defines the same tests for each release. */
export function inEachRelease(define: (place: ReturnType<typeof placeFor>) => void): void {
	describe.each(releases)('n8n $version', (release) => define(placeFor(release)));
}

/** At each start, n8n writes all files of its editor, which takes a third of the processor time. Few tests open it. */
const withoutEditor = { N8N_DISABLE_UI: 'true' };

/** Starts what the tests of a file, or those of one release, need; all of it ends with them. */
export function placeFor(release = n8n2) {
	const ends: Array<() => Promise<void>> = [];
	afterAll(async () => {
		for (const end of ends.reverse()) await end();
	}, 120_000);
	return {
		release,
		/** Has something ended or deleted after the tests. */
		endLater: (end: () => Promise<void>) => void ends.push(end),
		service: async (settings?: Partial<ServiceSettings>) => {
			const service = await startService(settings);
			ends.push(service.close);
			return service;
		},
		/** @param env environment variables that win over those of all tests */
		n8n: async (env?: Record<string, string>, args?: string[]) => {
			const n8n = await startN8n({ release, env: { ...withoutEditor, ...env }, args });
			ends.push(n8n.remove);
			return n8n;
		},
	};
}

export async function credentialFor({ rest }: RunningN8n, service: RunningService) {
	return await rest.createCredential('videoHostingApi', service.baseUrl, service.credential);
}

const certificates = join(__dirname, '..', 'fakeService', 'loopbackCertificate');
/** Self-signed, for localhost and 127.0.0.1. */
export const certificateFile = join(certificates, 'cert.pem');
export const tls = {
	key: readFileSync(join(certificates, 'key.pem'), 'utf8'),
	cert: readFileSync(certificateFile, 'utf8'),
};
