import { strict as assert } from 'node:assert';

import type { IDataObject, INode } from 'n8n-workflow';

import { outputOf } from '../n8n/execution';
import type { WorkflowJson } from '../n8n/rest';
import { requireArrived, writeTestFile } from './files';
import { runToSuccess, type Subject } from './subject';
import * as nodes from '../n8n/workflow';

type OnError = 'continueRegularOutput' | 'continueErrorOutput';

const RESUME = 'Resume';
const SIZE = 1_000_000;
const CUT = 600_000;

/**
 * A node that continues on errors passes on what the next node needs: an interrupted upload is finished by Upload → Resume
 * with the ID and the file of its error item, and any other failed operation passes on its message.
 */
export async function passesErrorItems(subject: Subject): Promise<string> {
	for (const onError of ['continueRegularOutput', 'continueErrorOutput'] as const) {
		subject.service.state.uploads = [];
		await resumesFromErrorItem(subject, onError);
		await passesMessage(subject, onError);
	}
	return 'uploadId, offset and size arrive in both modes, and Resume finishes the upload';
}

async function resumesFromErrorItem({ n8n, service, credential }: Subject, onError: OnError): Promise<void> {
	const file = writeTestFile(n8n.filesFolder, `error-item-${onError}.mp4`, SIZE);
	service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: CUT });
	const resume = nodes.videoHosting(RESUME, credential, {
		resource: 'upload',
		operation: 'resume',
		uploadId: '={{ $json.error.uploadId }}',
		source: 'binary',
		binaryPropertyName: 'data',
		options: { returnVideo: false },
	});
	const first = nodes.upload(credential, { options: { returnVideo: false } });
	const execution = await runToSuccess(
		n8n,
		routed(`Upload ${onError}`, nodes.readFiles(file.path), { ...first, onError }, resume),
	);
	const [item] = outputOf(execution, nodes.UPLOAD, onError === 'continueErrorOutput' ? 1 : 0);
	const { id, bytesReceived } = requireArrived(service.state.uploads, file);
	const error = item?.json.error as IDataObject;
	assert.match(JSON.stringify(error.message), new RegExp(`Upload ${id} is at ${CUT} of ${SIZE} bytes`));
	const { uploadId, offset, size } = error;
	assert.deepEqual({ uploadId, offset, size }, { uploadId: id, offset: CUT, size: SIZE });
	assert.equal(bytesReceived, SIZE, 'Bytes were sent twice');
	assert.deepEqual(item?.pairedItem, { item: 0 });
	assert.equal(outputOf(execution, RESUME)[0]?.json.uploadId, id);
}

async function passesMessage({ n8n, service, credential }: Subject, onError: OnError): Promise<void> {
	service.injectFault({ on: 'folderCreate', kind: 'status', status: 409, error: 'Name taken' });
	const create = nodes.videoHosting(nodes.UPLOAD, credential, {
		resource: 'folder',
		operation: 'create',
		name: 'Webinars',
	});
	const next = nodes.noOperation(RESUME);
	const execution = await runToSuccess(
		n8n,
		routed(`Folder ${onError}`, nodes.noOperation('Before'), { ...create, onError }, next),
	);
	const [item] = outputOf(execution, RESUME);
	assert.ok(typeof item?.json.error === 'string', 'The message is not a text');
	assert.match(item.json.error, /^Name taken\. It was changed in the meantime: .+$/);
}

/** Manual Trigger → first → failing → next, where `next` gets the error item. */
function routed(name: string, first: INode, failing: INode, next: INode): WorkflowJson {
	const workflow = nodes.workflowOf(name, [nodes.manualTrigger(), first, failing]);
	const connection = [{ node: next.name, type: 'main' as const, index: 0 }];
	workflow.nodes.push(next);
	workflow.connections[failing.name] = {
		main: failing.onError === 'continueErrorOutput' ? [[], connection] : [connection],
	};
	return workflow;
}
