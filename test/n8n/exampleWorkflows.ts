import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { RunningN8n } from './instance';
import type { StoredCredential, StoredWorkflow, WorkflowJson } from './rest';

const folder = join(__dirname, '..', '..', 'workflows');

/** Where the examples expect their files: n8n's own files folder in its Docker image. */
const filesFolderOfDocker = '/home/node/.n8n-files';

/** File names in `workflows/`, without `.json`. */
export function exampleWorkflowNames(): string[] {
	return readdirSync(folder)
		.filter((name) => name.endsWith('.json'))
		.map((name) => name.slice(0, -'.json'.length));
}

/**
 * Imports an example as a user would: the credential picked in each node of this package, and the files folder changed to
 * the one of this n8n. Nothing else is touched.
 */
export async function importExampleWorkflow(
	n8n: RunningN8n,
	name: string,
	credential: StoredCredential,
): Promise<StoredWorkflow> {
	const text = readFileSync(join(folder, `${name}.json`), 'utf8');
	const workflow: WorkflowJson = JSON.parse(text.replaceAll(filesFolderOfDocker, n8n.filesFolder));
	const { id, name: credentialName, type } = credential;
	for (const node of workflow.nodes) {
		if (node.type.startsWith('n8n-nodes-video-hosting.')) {
			node.credentials = { ...node.credentials, [type]: { id, name: credentialName } };
		}
	}
	return await n8n.rest.createWorkflow(workflow);
}
