import { randomUUID } from 'node:crypto';

import type { IDataObject, INode } from 'n8n-workflow';

import { everyFiveSeconds } from '../n8n/pollTimes';
import type { StoredCredential, WorkflowJson } from '../n8n/rest';

export const MANUAL_TRIGGER = 'Manual Trigger';
export const READ_FILES = 'Read Files';
export const UPLOAD = 'Upload';
export const TRIGGER = 'Video Hosting Trigger';

/** A workflow of nodes that run one after the other. */
export function workflowOf(name: string, nodes: INode[], settings: IDataObject = {}): WorkflowJson {
	const connections: WorkflowJson['connections'] = {};
	for (const [place, { name: source }] of nodes.entries()) {
		const next = nodes[place + 1];
		if (next) connections[source] = { main: [[{ node: next.name, type: 'main', index: 0 }]] };
	}
	return { name, nodes, connections, settings: { executionOrder: 'v1', ...settings } };
}

export function manualTrigger(): INode {
	return node(MANUAL_TRIGGER, 'n8n-nodes-base.manualTrigger', 1, {});
}

/** @param pattern path of a file, or a glob; n8n reads from its own files folder only */
export function readFiles(pattern: string, name = READ_FILES): INode {
	return node(name, 'n8n-nodes-base.readWriteFile', 1, {
		operation: 'read',
		fileSelector: pattern,
		options: {},
	});
}

/** Accepts a POST whose body is a file, and responds before the workflow has run. */
export function webhook(path: string): INode {
	return {
		...node('Webhook', 'n8n-nodes-base.webhook', 2, {
			httpMethod: 'POST',
			path,
			responseMode: 'onReceived',
			options: {},
		}),
		webhookId: randomUUID(),
	};
}

export function videoHosting(name: string, credential: StoredCredential, parameters: IDataObject): INode {
	return {
		...node(name, 'n8n-nodes-video-hosting.videoHosting', 1, parameters as INode['parameters']),
		credentials: credentialOf(credential),
	};
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

export function videoHostingTrigger(credential: StoredCredential): INode {
	const parameters = { pollTimes: everyFiveSeconds };
	return {
		...node(TRIGGER, 'n8n-nodes-video-hosting.videoHostingTrigger', 1, parameters),
		credentials: credentialOf(credential),
	};
}

/** Passes on the items for which an expression equals a text. */
export function filter(name: string, expression: string, text: string): INode {
	return node(name, 'n8n-nodes-base.filter', 2.2, {
		conditions: {
			options: { version: 2, caseSensitive: true, leftValue: '', typeValidation: 'loose' },
			combinator: 'and',
			conditions: [
				{
					id: randomUUID(),
					leftValue: expression,
					rightValue: text,
					operator: { type: 'string', operation: 'equals' },
				},
			],
		},
		options: {},
	});
}

export function noOperation(name: string): INode {
	return node(name, 'n8n-nodes-base.noOp', 1, {});
}

export function node(
	name: string,
	type: string,
	typeVersion: number,
	parameters: INode['parameters'],
): INode {
	return { id: randomUUID(), name, type, typeVersion, position: [0, 0], parameters };
}

export function credentialOf({ id, name, type }: StoredCredential): INode['credentials'] {
	return { [type]: { id, name } };
}

export function countFolders(credential: StoredCredential): WorkflowJson {
	const count = videoHosting('Count Folders', credential, { resource: 'folder', operation: 'count' });
	return workflowOf('Count folders', [manualTrigger(), count]);
}
