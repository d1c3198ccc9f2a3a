import './n8nCore';

import { LoadOptionsContext } from 'n8n-core';
import type { INodeParameters, INodePropertyOptions } from 'n8n-workflow';

import { VideoHostingTrigger } from '../../nodes/VideoHosting/VideoHostingTrigger.node';
import type { RunningService } from '../fakeService';
import { CredentialStore } from './credentialStore';
import { additionalData, workflowOfOneNode } from './workflowOfOneNode';

/** Loads the options of a multi-select of the trigger in n8n-core's own LoadOptionsContext, as the editor does. */
export async function loadTriggerOptions(
	method: keyof VideoHostingTrigger['methods']['loadOptions'],
	service: Pick<RunningService, 'credential'>,
	parameters: INodeParameters = {},
	timezone = 'UTC',
): Promise<INodePropertyOptions[]> {
	const nodeType = new VideoHostingTrigger();
	const { workflow, node } = workflowOfOneNode(nodeType, parameters, { timezone });
	const store = new CredentialStore({ accessToken: '', ...service.credential });
	const data = { ...additionalData(store), currentNodeParameters: parameters };
	const context = new LoadOptionsContext(workflow, node, data, '');
	return await nodeType.methods.loadOptions[method].call(context);
}
