import { SupplyDataContext } from 'n8n-core';
import { makeHandleToolInvocation } from 'n8n-core/dist/execution-engine/node-execution-context/utils/get-input-connection-data';
import { createRunExecutionData, NodeConnectionTypes, type INodeParameters } from 'n8n-workflow';

import { VideoHosting } from '../../nodes/VideoHosting/VideoHosting.node';
import { credentialStoreOf } from '../execution/executeNode';
import { additionalData, workflowOfOneNode } from '../execution/workflowOfOneNode';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { by, createFolder, expectUnsent } from './run';

serviceForEachTest();

const TOOL = 'n8n-nodes-video-hosting.videoHostingTool';

/** The node as agents up to 2.2 and the MCP Server Trigger call a tool: each try has a run index of its own. */
function toolOf(parameters: INodeParameters) {
	const nodeType = new VideoHosting();
	const { workflow, node } = workflowOfOneNode(nodeType, parameters, { retryOnFail: true });
	node.type = TOOL;
	const data = additionalData(credentialStoreOf({ service }));
	const runData = createRunExecutionData({});
	const source = { node, data: {}, source: null };
	const type = NodeConnectionTypes.AiTool;
	const contextOf = (run: number) =>
		new SupplyDataContext(workflow, node, data, 'trigger', runData, run, [], {}, type, source, []);
	return makeHandleToolInvocation(contextOf, node, nodeType, runData);
}

describe('A tool of an agent', () => {
	it('does not repeat in its next try what may have been carried out', async () => {
		const invoke = toolOf({ ...createFolder, name: 'a' });
		const folderNames = () => service.state.folders.map(({ name }) => name);
		service.injectFault({ on: 'folderCreate', kind: 'lostResponse' });
		await expect(invoke({ Name: 'a' })).rejects.toThrow(/may have been carried out/);
		expect(folderNames()).toEqual(['a']);
		// Another call is another folder.
		await invoke({ Name: 'a' });
		expect(folderNames()).toEqual(['a', 'a']);
	});

	it.each([
		{ resource: 'upload', operation: 'upload' },
		{ resource: 'upload', operation: 'resume', uploadId: 'x' },
		{ resource: 'video', operation: 'setThumbnail', video: by('hash', 'x') },
	])('that opens with a file of the item gets an error that says to use a URL: %j', async (parameters) => {
		await expectUnsent(toolOf(parameters)({}), /receives no files\s+Details: Choose Source: URL/);
	});
});
