import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { homepage } from '../../package.json';
import { testCredential } from './methods/credentialTest';
import { getEvents, searchFolders } from './methods/pickers';
import { changes, records, subtitle, triggerProperties } from './trigger/panel';
import { pollService } from './trigger/poll';

export class VideoHostingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Video Hosting Trigger',
		name: 'videoHostingTrigger',
		icon: { light: 'file:videoHosting.svg', dark: 'file:videoHosting.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle,
		// n8n's node panel merges action node and trigger, and shows this text for both
		// (docs/n8n-internals.md#merged-nodes-in-the-panel).
		description: `Upload videos, manage live events and folders, and start workflows when ${changes}`,
		eventTriggerDescription: `Looking for a matching ${records}`,
		activationMessage: `The workflow now starts when ${changes}. n8n looks for changes at the poll times. If the workflow was active before with the same settings, changes since then are reported too.`,
		documentationUrl: homepage,
		defaults: { name: 'Video Hosting Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'videoHostingApi', required: true, testedBy: 'testCredential' }],
		properties: triggerProperties,
	};

	methods = { credentialTest: { testCredential }, loadOptions: { getEvents }, listSearch: { searchFolders } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await pollService(this);
	}
}
