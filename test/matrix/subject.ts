import { strict as assert } from 'node:assert';

import { errorOf, type Execution } from '../n8n/execution';
import type { RunningN8n } from '../n8n/instance';
import type { StoredCredential, WorkflowJson } from '../n8n/rest';
import type { RunningService } from '../fakeService';

/** An n8n with a credential for a service. */
export interface Subject {
	n8n: RunningN8n;
	service: RunningService;
	credential: StoredCredential;
}

/** @param more fields of n8n's own, such as the domains that the credential is limited to */
export async function credentialFor(
	n8n: RunningN8n,
	service: RunningService,
	more: object = {},
): Promise<StoredCredential> {
	return await n8n.rest.createCredential('videoHostingApi', service.baseUrl, {
		...service.credential,
		...more,
	});
}

/** Runs a new workflow by its manual trigger. Throws n8n's error message when it fails. */
export async function runToSuccess(n8n: RunningN8n, workflow: WorkflowJson): Promise<Execution> {
	const execution = await n8n.rest.runToEnd(workflow);
	assert.equal(execution.status, 'success', `${workflow.name}: ${errorOf(execution)}`);
	return execution;
}

/** The message that a person reads first when the execution failed; empty when it did not. */
export function messageOf(execution: Execution): string {
	return errorOf(execution).split('\n', 1)[0] ?? '';
}
