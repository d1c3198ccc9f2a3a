import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { itemWithFile } from '../execution/executeNode';
import { by } from '../execution/locator';

const FOLDER = by('uuid', '6a2f41a3-c54c-4fce-8a01-4c1b9f0e2d3b');

/** What an operation needs besides its defaults to be valid, by `resource/operation`; several where the panel changes. */
const OWN: Record<string, INodeParameters[]> = {
	'event/create': [{ title: 'All-hands', dateScheduled: '2030-05-01 18:00' }],
	'event/update': [{ title: 'All-hands' }],
	'event/delete': [{ event: by('id', '4001') }],
	'folder/create': [{ name: 'Webinars' }],
	'folder/update': [{ updateFields: { name: 'Webinars' } }],
	'upload/create': [{ fileName: 'film.mp4', size: 15 }],
	'upload/getStatus': [{ uploadId: 'abc' }],
	'upload/resume': [
		{ uploadId: 'abc', source: 'binary' },
		{ uploadId: 'abc', source: 'url', url: 'https://files.example.com/film.mp4' },
	],
	'upload/upload': [{ source: 'binary' }, { source: 'url', url: 'https://files.example.com/film.mp4' }],
	'video/search': [{ name: 'Video' }],
	'video/setThumbnail': [{ source: 'binary' }, { source: 'url', url: 'https://files.example.com/film.png' }],
	'video/update': [{ name: 'Interview' }],
};

/** Parameters with which an operation has nothing to object to; of an operation unknown here, its defaults. */
export function validParameters(resource: string, operation: string): INodeParameters[] {
	const common = { event: by('hash', '5f1d7a84b9'), folder: FOLDER, video: by('hash', '9c3e0d51f7') };
	return (OWN[`${resource}/${operation}`] ?? [{}]).map((own) => ({
		resource,
		operation,
		...common,
		...own,
	}));
}

/** An input item with the file that the operations which read one expect: an image, which Upload accepts as well. */
export async function validItem(): Promise<INodeExecutionData> {
	return await itemWithFile(Buffer.from('bytes of an image'), {
		fileName: 'film.png',
		mimeType: 'image/png',
	});
}
