import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { homepage } from '../../package.json';
import { resourceProperties, subtitle } from './actions/panel';
import { executeItems } from './actions/router';
import { testCredential } from './methods/credentialTest';
import { searchEvents, searchFolders, searchOptionalFolders, searchVideos } from './methods/pickers';
import { SECRET_FIELDS } from './transport/secrets';

export class VideoHosting implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Video Hosting',
		name: 'videoHosting',
		icon: { light: 'file:videoHosting.svg', dark: 'file:videoHosting.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle,
		description: 'Upload videos, schedule and run live events, and organize videos in folders',
		documentationUrl: homepage,
		defaults: { name: 'Video Hosting' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'videoHostingApi', required: true, testedBy: 'testCredential' }],
		properties: resourceProperties,
		// Only Include Secret returns them.
		sensitiveOutputFields: SECRET_FIELDS,
	};

	methods = {
		credentialTest: { testCredential },
		listSearch: { searchEvents, searchFolders, searchOptionalFolders, searchVideos },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await executeItems(this)];
	}
}
