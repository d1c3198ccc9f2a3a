import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { executeForJson, executeNode, type NodeRun } from '../execution/executeNode';
import { service } from '../fakeService/serviceForEachTest';
import { failureOf, textOf } from '../upload/uploading';

export { by } from '../execution/locator';

/** Creates a folder for each item of {@link named}. */
export const createFolder = { resource: 'folder', operation: 'create', name: '={{ $json.name }}' };
export const named = (...names: string[]): INodeExecutionData[] => names.map((name) => ({ json: { name } }));

/** Runs the node against the fake service of the test; returns the JSON of its output. */
export async function run(parameters: INodeParameters, more: Partial<NodeRun> = {}): Promise<IDataObject[]> {
	return await executeForJson({ service, parameters, ...more });
}

/** The same, with the hints that n8n shows after the run. */
export async function runWithHints(parameters: INodeParameters, more: Partial<NodeRun> = {}) {
	const { items, hints } = await executeNode({ service, parameters, ...more });
	return { output: items.map(({ json }) => json), hints: hints.map(({ message }) => message) };
}

/** What the service was asked for besides the sign-in. */
export const requested = () =>
	service.requests.map(({ operation }) => operation).filter((operation) => operation !== 'authenticate');

/** Expects an error that says this in its message or in its advice, as an error item shows them. */
export async function expectError(execution: Promise<unknown>, text: RegExp | string): Promise<void> {
	expect(textOf(await failureOf(execution))).toMatch(text);
}

/** The same, before the first request. */
export async function expectUnsent(execution: Promise<unknown>, text: RegExp | string): Promise<void> {
	await expectError(execution, text);
	expect(service.requests).toEqual([]);
}
