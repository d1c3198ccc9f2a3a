import type { Resource } from '../operation';
import { create } from './create';
import { getStatus } from './getStatus';
import { resume } from './resume';
import { uploadVideo } from './upload';

export const upload: Resource = {
	name: 'Upload',
	description: 'Resumable upload of a video file',
	operations: { create, getStatus, resume, upload: uploadVideo },
	defaultOperation: 'upload',
};
