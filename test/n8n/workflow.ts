import { randomUUID } from 'node:crypto';

import type { IConnections, IDataObject, INode, INodeExecutionData } from 'n8n-workflow';

import type { StoredCredential, WorkflowJson } from './rest';

/**
 * Poll times of a trigger at every second second, for its parameter `pollTimes`: n8n rejects an interval of less than a
 * minute, but takes several times.
 */
export const everyTwoSeconds = {
	item: Array.from({ length: 30 }, (_, half) => ({
		mode: 'custom',
		cronExpression: `${half * 2} * * * * *`,
	})),
};

/** As n8n's editor calls it. */
export const MANUAL_TRIGGER = 'When clicking ‘Execute workflow’';
export const UPLOAD = 'Upload';
export const TRIGGER = 'Video Hosting Trigger';

/** A workflow of nodes that run one after the other, and are shown from left to right. */
export function workflowOf(name: string, nodes: INode[], settings: IDataObject = {}): WorkflowJson {
	const connections = chain(...nodes.map((each) => each.name));
	const placed = nodes.map((each, place): INode => ({ ...each, position: [place * 240, 0] }));
	return { name, nodes: placed, connections, settings: { executionOrder: 'v1', ...settings } };
}

/** Wires that lead from each node to the next one. */
export function chain(...names: string[]): IConnections {
	return Object.fromEntries(names.slice(1).map((next, place) => [names[place] ?? '', to(next)]));
}

/** A wire from a node's first output. */
export function to(name: string): IConnections[string] {
	return { main: [[{ node: name, type: 'main', index: 0 }]] };
}

export function manualTrigger(): INode {
	return node(MANUAL_TRIGGER, 'n8n-nodes-base.manualTrigger', 1, {});
}

/** @param pattern path of a file, or a glob; n8n reads from its own files folder only */
export function readFiles(pattern: string, name = 'Read Files'): INode {
	return node(name, 'n8n-nodes-base.readWriteFile', 1, {
		operation: 'read',
		fileSelector: pattern,
		options: {},
	});
}

export function videoHosting(name: string, credential: StoredCredential, parameters: IDataObject): INode {
	return node(name, 'n8n-nodes-video-hosting.videoHosting', 1, parameters, credential);
}

/** Upload → Upload of the binary data that comes in. */
export function upload(credential: StoredCredential, more: IDataObject = {}): INode {
	return videoHosting(UPLOAD, credential, {
		resource: 'upload',
		operation: 'upload',
		source: 'binary',
		binaryPropertyName: 'data',
		...more,
	});
}

/** It polls every two seconds unless the parameters say otherwise. */
export function videoHostingTrigger(credential: StoredCredential, parameters: IDataObject = {}): INode {
	const polling = { pollTimes: everyTwoSeconds, ...parameters };
	return node(TRIGGER, 'n8n-nodes-video-hosting.videoHostingTrigger', 1, polling, credential);
}

/** A Loop Over Items around one node, which n8n tries up to five times. */
export function loopOver(looped: INode, batchSize: number, items: INodeExecutionData[]): WorkflowJson {
	const loop = node('Loop', 'n8n-nodes-base.splitInBatches', 3, { batchSize });
	const tried: INode = { ...looped, retryOnFail: true, maxTries: 5, waitBetweenTries: 1 };
	return {
		...workflowOf('Loop', [manualTrigger(), loop, tried]),
		connections: {
			...chain(MANUAL_TRIGGER, loop.name),
			// The second output of Loop Over Items is the loop.
			[loop.name]: { main: [[], ...(to(tried.name).main ?? [])] },
			...chain(tried.name, loop.name),
		},
		pinData: { [MANUAL_TRIGGER]: items },
	};
}

export function noOperation(name: string): INode {
	return node(name, 'n8n-nodes-base.noOp', 1, {});
}

export function node(
	name: string,
	type: string,
	typeVersion: number,
	parameters: IDataObject,
	credential?: StoredCredential,
): INode {
	const added: INode = {
		...{ id: randomUUID(), name, type, typeVersion, position: [0, 0] },
		parameters: parameters as INode['parameters'],
	};
	if (credential) added.credentials = { [credential.type]: { id: credential.id, name: credential.name } };
	return added;
}

export function countFolders(credential: StoredCredential): WorkflowJson {
	const count = videoHosting('Count Folders', credential, { resource: 'folder', operation: 'count' });
	return workflowOf('Count folders', [manualTrigger(), count]);
}

/** The same by n8n's own HTTP Request node, signed in with the package's credential. */
export function requestFolders(credential: StoredCredential, baseUrl: string): WorkflowJson {
	const request = httpRequest('HTTP Request', credential, { url: `${baseUrl}/v1/folders/total` }, 4.2);
	return workflowOf('HTTP Request', [manualTrigger(), request]);
}

/** n8n's own HTTP Request node, signed in with the package's credential; by default of the version that n8n 2.41.1 sets in a new one. */
export function httpRequest(
	name: string,
	credential: StoredCredential,
	parameters: IDataObject,
	version = 4.5,
): INode {
	const signIn = { authentication: 'predefinedCredentialType', nodeCredentialType: credential.type };
	return node(name, 'n8n-nodes-base.httpRequest', version, { ...signIn, ...parameters }, credential);
}
