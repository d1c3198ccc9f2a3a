import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { startService, type RunningService, type ServiceSettings } from '../fakeService';
import { outputOf } from '../n8n/execution';
import { startN8n, type N8n, type RunningN8n } from '../n8n/instance';
import { packedPackage, releases } from '../n8n/jestSetup';
import { poll } from '../n8n/poll';
import type { N8nRelease } from '../n8n/releases';
import type { StoredCredential } from '../n8n/rest';
import { TRIGGER, videoHostingTrigger, workflowOf } from '../n8n/workflow';

/** Starts what the tests of one release need; all of it ends with them. */
export interface Place {
	release: N8nRelease;
	service: (settings?: Partial<ServiceSettings>) => Promise<RunningService>;
	/** @param env environment variables that win over those of all tests */
	n8n: (env?: Record<string, string>, args?: string[]) => Promise<RunningN8n>;
	/** Has something ended or deleted after the tests. */
	endLater: (end: () => Promise<void>) => void;
}

/** How long n8n, its workers and servers may take to start, in milliseconds. */
export const startTimeout = 300_000;

/** Defines the same tests for each release. */
export function inEachRelease(define: (place: Place) => void): void {
	describe.each(releases)('n8n $version', (release) => {
		const ends: Array<() => Promise<void>> = [];
		afterAll(async () => {
			for (const end of ends.reverse()) await end();
		}, 120_000);
		const endLater = (end: () => Promise<void>) => void ends.push(end);
		define({
			release,
			service: async (settings) => {
				const service = await startService(settings);
				endLater(async () => await service.close());
				return service;
			},
			n8n: async (env, args) => {
				const n8n = await startN8n({ release, packageTarball: packedPackage(), env, args });
				endLater(async () => await n8n.remove());
				return n8n;
			},
			endLater,
		});
	});
}

/** @param more fields of n8n's own, such as the domains that the credential is limited to */
export async function credentialFor(
	{ rest }: N8n,
	service: RunningService,
	more: object = {},
): Promise<StoredCredential> {
	return await rest.createCredential('videoHostingApi', service.baseUrl, { ...service.credential, ...more });
}

/** Expects that one change at the service starts one execution. */
export async function expectOneExecution(
	{ rest }: N8n,
	service: RunningService,
	credential: StoredCredential,
) {
	const [event] = service.seedEvents(3);
	const workflow = await rest.createWorkflow(workflowOf('Trigger', [videoHostingTrigger(credential)]));
	await rest.activateWorkflow(workflow);
	const polls = () => service.requestsOf('eventSearchAll').filter(({ status }) => status === 200).length;
	const finished = async () =>
		(await rest.executions(workflow)).filter(
			({ mode, status }) => mode === 'trigger' && status !== 'running',
		);

	service.setEventStatus(event?.hash ?? '', 'LIVE');
	const first = await poll('an execution for the change', 60_000, async () => (await finished())[0]);
	const before = polls();
	await service.until(() => polls() >= before + 2);
	await rest.deactivateWorkflow(workflow);
	expect(await finished()).toHaveLength(1);
	expect(outputOf(await rest.waitForExecution(first.id), TRIGGER)).toMatchObject([
		{ json: { hash: event?.hash, status: 'LIVE' } },
	]);
}

const certificates = join(__dirname, '..', 'fakeService', 'loopbackCertificate');
/** Self-signed, for localhost and 127.0.0.1. */
export const certificateFile = join(certificates, 'cert.pem');
export const tls = {
	key: readFileSync(join(certificates, 'key.pem'), 'utf8'),
	cert: readFileSync(certificateFile, 'utf8'),
};
