import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import type { RunningN8n } from './instance';
import type { StoredCredential, StoredWorkflow, WorkflowJson } from './rest';

const folder = join(__dirname, '..', '..', 'workflows');

/** Where the templates expect their files: n8n's own files folder in its Docker image. */
const filesFolderOfDocker = '/home/node/.n8n-files';

/** The one template that needs nothing but the video hosting service. */
export const uploadAndSchedule = 'upload-a-video-and-schedule-a-live-event';

/** File names in `workflows/`, without `.json`. */
export function exampleWorkflowNames(): string[] {
	return readdirSync(folder)
		.filter((name) => name.endsWith('.json'))
		.map((name) => name.slice(0, -'.json'.length));
}

export function exampleWorkflow(name: string): WorkflowJson {
	// What n8n has exported.
	return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as WorkflowJson;
}

/**
 * Imports a template as a user would: the credential picked in each node of this package, and the files folder changed to
 * the one of this n8n. The note of the template that is thereby ready to run lists no steps. Nothing else is touched.
 *
 * @param timezone IANA time zone; by default the one that the template contains
 */
export async function importExampleWorkflow(
	n8n: RunningN8n,
	name: string,
	credential: StoredCredential,
	timezone?: string,
): Promise<StoredWorkflow> {
	const workflow = exampleWorkflow(name);
	const { id, name: credentialName, type } = credential;
	const nodes = workflow.nodes.map((node): INode => {
		if (node.type === 'n8n-nodes-base.stickyNote')
			return name === uploadAndSchedule ? withoutSteps(node) : node;
		const parameters = JSON.stringify(node.parameters).replaceAll(filesFolderOfDocker, n8n.filesFolder);
		const isOurs = node.type.startsWith('n8n-nodes-video-hosting.');
		return {
			...node,
			parameters: JSON.parse(parameters) as INode['parameters'],
			...(isOurs && { credentials: { ...node.credentials, [type]: { id, name: credentialName } } }),
		};
	});
	const settings = { ...workflow.settings, ...(timezone !== undefined && { timezone }) };
	return await n8n.rest.createWorkflow({ ...workflow, nodes, settings });
}

/** Text of a sticky note; empty for any other node. */
export function noteText({ parameters: { content } }: INode): string {
	return typeof content === 'string' ? content : '';
}

function withoutSteps(note: INode): INode {
	const ready = '$1\n\nEverything is set up: click **Execute workflow**.';
	const content = noteText(note).replace(/(### Set up)[^]*/, ready);
	return { ...note, parameters: { ...note.parameters, content } };
}
