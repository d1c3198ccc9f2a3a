import { randomUUID } from 'node:crypto';

import type { IConnections, IDataObject, INode } from 'n8n-workflow';

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
export function workflowOf(name: string, nodes: INode[]): WorkflowJson {
	const wires = nodes.slice(1).map(({ name: next }, place) => {
		return [nodes[place]?.name, { main: [[{ node: next, type: 'main', index: 0 }]] }];
	});
	const connections: IConnections = Object.fromEntries(wires);
	const placed = nodes.map((each, place): INode => ({ ...each, position: [place * 240, 0] }));
	return { name, nodes: placed, connections, settings: { executionOrder: 'v1' } };
}

export function manualTrigger(): INode {
	return node(MANUAL_TRIGGER, 'n8n-nodes-base.manualTrigger', 1, {});
}

/** @param pattern path of a file, or a glob; n8n reads from its own files folder only */
export function readFiles(pattern: string): INode {
	return node('Read Files', 'n8n-nodes-base.readWriteFile', 1, {
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
	return {
		...{ id: randomUUID(), name, type, typeVersion, position: [0, 0] },
		parameters: parameters as INode['parameters'],
		...(credential && { credentials: { [credential.type]: { id: credential.id, name: credential.name } } }),
	};
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
