import './n8nCore';

import { LoadOptionsContext } from 'n8n-core';
import type { INodeListSearchResult, INodeParameters, INodePropertyOptions, INodeType } from 'n8n-workflow';

import { VideoHosting } from '../../nodes/VideoHosting/VideoHosting.node';
import { VideoHostingTrigger } from '../../nodes/VideoHosting/VideoHostingTrigger.node';
import { credentialStoreOf, type NodeRun } from './executeNode';
import { additionalData, workflowOfOneNode } from './workflowOfOneNode';

/** n8n-core's own context for the lists of the editor. */
function editorContext(nodeType: INodeType, service: NodeRun['service'], parameters: INodeParameters) {
	const { workflow, node } = workflowOfOneNode(nodeType, parameters);
	const data = { ...additionalData(credentialStoreOf({ service })), currentNodeParameters: parameters };
	return new LoadOptionsContext(workflow, node, data, '');
}

/**
 * Asks a picker for its next entries, as the editor does.
 *
 * @param request its `paginationToken` is that of the entries before
 */
export async function loadPicker(
	picker: keyof VideoHosting['methods']['listSearch'],
	request: Pick<NodeRun, 'service'> & {
		parameters?: INodeParameters;
		filter?: string;
		paginationToken?: string;
	},
): Promise<INodeListSearchResult> {
	const nodeType = new VideoHosting();
	const context = editorContext(nodeType, request.service, request.parameters ?? {});
	return await nodeType.methods.listSearch[picker].call(context, request.filter, request.paginationToken);
}

/** Loads the events of the trigger's multi-select, as the editor does. */
export async function loadEvents(service: NodeRun['service']): Promise<INodePropertyOptions[]> {
	const nodeType = new VideoHostingTrigger();
	return await nodeType.methods.loadOptions.getEvents.call(editorContext(nodeType, service, {}));
}
