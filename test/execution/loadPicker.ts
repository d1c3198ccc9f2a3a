import './n8nCore';

import { LoadOptionsContext } from 'n8n-core';
import type { INodeListSearchResult, INodeParameters } from 'n8n-workflow';

import { VideoHosting } from '../../nodes/VideoHosting/VideoHosting.node';
import type { RunningService } from '../fakeService';
import { CredentialStore } from './credentialStore';
import { additionalData, workflowOfOneNode } from './workflowOfOneNode';

type Picker = keyof VideoHosting['methods']['listSearch'];

/** Asks a picker for its next entries in n8n-core's own LoadOptionsContext, as the editor does. */
export async function loadPicker(
	picker: Picker,
	{
		service,
		parameters = {},
		filter,
		paginationToken,
	}: {
		service: Pick<RunningService, 'credential'>;
		parameters?: INodeParameters;
		filter?: string;
		paginationToken?: unknown;
	},
): Promise<INodeListSearchResult> {
	const nodeType = new VideoHosting();
	const { workflow, node } = workflowOfOneNode(nodeType, parameters);
	const store = new CredentialStore({ accessToken: '', ...service.credential });
	const data = { ...additionalData(store), currentNodeParameters: parameters };
	const context = new LoadOptionsContext(workflow, node, data, '');
	return await nodeType.methods.listSearch[picker].call(context, filter, paginationToken);
}
