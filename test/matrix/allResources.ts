import type { IDataObject, INode } from 'n8n-workflow';

import type { StoredCredential, WorkflowJson } from '../n8n/rest';
import { manualTrigger, readFiles, upload, UPLOAD, videoHosting, workflowOf } from '../n8n/workflow';

const FOLDER = { __rl: true, mode: 'uuid', value: "={{ $('Create Folder').first().json.uuid }}" };
const VIDEO = { __rl: true, mode: 'hash', value: `={{ $('${UPLOAD}').first().json.video.hash }}` };
const EVENT = { __rl: true, mode: 'hash', value: "={{ $('Create Event').first().json.hash }}" };

/**
 * A workflow that calls every operation of the reference once or more, as a user would build it: nothing is typed in that
 * an earlier node has returned.
 *
 * @param video path of the file that is uploaded
 * @param image path of the thumbnail
 */
export function allResources(credential: StoredCredential, video: string, image: string): WorkflowJson {
	const call = (name: string, resource: string, operation: string, parameters: IDataObject = {}) =>
		videoHosting(name, credential, { resource, operation, ...parameters });
	const nodes = [
		manualTrigger(),
		call('Create Folder', 'folder', 'create', { name: 'Concerts' }),
		call('Update Folder', 'folder', 'update', {
			folder: FOLDER,
			updateFields: { description: 'All of 2030' },
		}),
		call('Get Folder', 'folder', 'get', { folder: FOLDER }),
		call('Get Many Folders', 'folder', 'getAll', { returnAll: true }),
		call('Count Folders', 'folder', 'count'),
		readFiles(video),
		upload(credential, { folder: FOLDER }),
		call('Get Upload Status', 'upload', 'getStatus', {
			uploadId: `={{ $('${UPLOAD}').first().json.uploadId }}`,
		}),
		call('Get Many Videos', 'video', 'getAll', { returnAll: true }),
		call('Search Videos', 'video', 'search', { name: `={{ $('${UPLOAD}').first().json.fileName }}` }),
		call('Rename Video', 'video', 'update', { video: VIDEO, name: 'Opening night' }),
		call('Move Video', 'video', 'move', { video: VIDEO, folder: FOLDER }),
		readFiles(image, 'Read Image'),
		call('Set Thumbnail', 'video', 'setThumbnail', { video: VIDEO, binaryPropertyName: 'data' }),
		call('Get Disk Usage', 'diskUsage', 'getApplication'),
		call('Get Disk Usage of Folder', 'diskUsage', 'getFolder', { folder: FOLDER }),
		call('Create Event', 'event', 'create', {
			title: 'Opening night',
			dateScheduled: '2030-05-01T20:00:00',
			options: { timezone: 'Europe/Berlin' },
		}),
		call('Get Many Events', 'event', 'getAll', { returnAll: true }),
		call('Get Event', 'event', 'get', { event: EVENT }),
		call('Update Event', 'event', 'update', { event: EVENT, title: 'Opening night, live' }),
		call('Start Event', 'event', 'start', { event: EVENT }),
		call('End Event', 'event', 'end', { event: EVENT }),
		call('Delete Event', 'event', 'delete', {
			event: { __rl: true, mode: 'id', value: "={{ $('Create Event').first().json.eventId }}" },
		}),
		call('Delete Video', 'video', 'delete', { video: VIDEO }),
		call('Delete Folder', 'folder', 'delete', { folder: FOLDER }),
		readFiles(video, 'Read Again'),
		call('Create Upload', 'upload', 'create', {
			fileName: '={{ $binary.data.fileName }}',
			size: "={{ $('Upload').first().json.size }}",
		}),
		readFiles(video, 'Read for Resume'),
		call('Resume Upload', 'upload', 'resume', {
			uploadId: "={{ $('Create Upload').first().json.uploadId }}",
			source: 'binary',
			binaryPropertyName: 'data',
		}),
	];
	return workflowOf('All resources', nodes.map(once));
}

/** A list before it does not make a node run once for each record. */
function once(node: INode): INode {
	return { ...node, executeOnce: true };
}
