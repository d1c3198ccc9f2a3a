import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject, INode, IPinData } from 'n8n-workflow';

import type { RunningN8n } from './instance';
import type { StoredCredential, StoredWorkflow, WorkflowJson } from './rest';

const folder = join(__dirname, '..', '..', 'workflows');

/** Where the templates expect their files: n8n's own files folder in its Docker image. */
const filesFolderOfDocker = '/home/node/.n8n-files';

/** The one template that needs nothing but the video hosting service. */
export const uploadAndSchedule = 'upload-a-video-and-schedule-a-live-event';

/** File names in `workflows/`, without `.json`. */
export function templateNames(): string[] {
	return readdirSync(folder).map((name) => name.replace('.json', ''));
}

export function template(name: string): WorkflowJson {
	// What n8n has exported.
	return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as WorkflowJson;
}

/** What a test or a user changes in a template after the import. */
interface Changes {
	/** IANA time zone; by default the one that the template contains. */
	timezone?: string;
	/** Output of nodes that reach for outside services, pinned as a user pins it in the editor. */
	pinData?: IPinData;
	/** Fields of nodes by node name; parameters are laid over the node's own, unless its type changes as well. */
	nodes?: Record<string, Partial<INode> | ((node: INode) => Partial<INode>)>;
}

/**
 * Imports a template as a user would: the credential picked in each node of this package, and the files folder changed to
 * the one of this n8n. Its note does not ask to install the package, and lists no steps where nothing is left to set up.
 *
 * @throws Error when the template lacks a node that is to be changed
 */
export async function importTemplate(
	n8n: RunningN8n,
	name: string,
	credential: StoredCredential,
	{ timezone, pinData = {}, nodes: changes = {} }: Changes = {},
): Promise<StoredWorkflow> {
	const workflow = template(name);
	for (const changed of [...Object.keys(pinData), ...Object.keys(changes)])
		if (!workflow.nodes.some((node) => node.name === changed))
			throw new Error(`${name} has no node "${changed}"`);
	const { id, name: credentialName, type } = credential;
	const nodes = workflow.nodes.map((node): INode => {
		if (node.type === 'n8n-nodes-base.stickyNote')
			return withoutSteps(node, name === uploadAndSchedule ? n8n.filesFolder : undefined);
		const parameters = JSON.stringify(node.parameters).replaceAll(filesFolderOfDocker, n8n.filesFolder);
		const isOurs = node.type.startsWith('n8n-nodes-video-hosting.');
		const imported: INode = {
			...node,
			parameters: JSON.parse(parameters) as INode['parameters'],
			...(isOurs && { credentials: { ...node.credentials, [type]: { id, name: credentialName } } }),
		};
		return changedNode(imported, changes[node.name]);
	});
	const settings: IDataObject = { ...workflow.settings, ...(timezone !== undefined && { timezone }) };
	return await n8n.rest.createWorkflow({ ...workflow, nodes, settings, pinData });
}

/** Text of a sticky note; empty for any other node. */
export function noteText({ parameters: { content } }: INode): string {
	return typeof content === 'string' ? content : '';
}

/** @param filesFolder that of an n8n in which everything is set up */
function withoutSteps(note: INode, filesFolder?: string): INode {
	const ready =
		'Everything is set up: click **Execute workflow**. ' +
		`To upload a file of your own, put it into \`${filesFolder}\` and change the path in *Read Video File*.`;
	const installed = noteText(note).replace(/Self-hosted n8n: install .+\n\n/, '');
	const content = filesFolder === undefined ? installed : installed.replace(/### Set up[^]*/, ready);
	return { ...note, parameters: { ...note.parameters, content } };
}

function changedNode(node: INode, wanted: Partial<INode> | ((node: INode) => Partial<INode>) = {}): INode {
	const { parameters, ...rest } = typeof wanted === 'function' ? wanted(node) : wanted;
	// A node of another type takes over no parameter of the one that it replaces.
	const kept = rest.type === undefined ? node.parameters : {};
	return { ...node, ...rest, parameters: { ...kept, ...parameters } };
}
