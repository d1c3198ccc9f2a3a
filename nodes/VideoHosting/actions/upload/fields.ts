import type { INodeProperties } from 'n8n-workflow';

import type { ContentField } from '../../parameters/field';
import { folderField } from '../../parameters/locators';
import { planIdOption } from '../fields';

export const fileNameField: ContentField = {
	displayName: 'File Name',
	name: 'fileName',
	type: 'string',
	default: '',
	placeholder: 'e.g. keynote.mp4',
	description:
		'Name of the new video. Leave it empty to use the name of the binary file, or the last part of the URL.',
	isContent: true,
};

export const uploadFolderField: INodeProperties = {
	...folderField,
	required: false,
	description:
		'Folder for the video, from the list or by its UUID or exact name. Choose none from the list to upload without a folder.',
};

export const uploadIdField: INodeProperties = {
	displayName: 'Upload ID',
	name: 'uploadId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 4f6c1d0e9b',
	description: 'ID of the upload, from Create or from the error of an interrupted upload',
};

export const sourceField: INodeProperties = {
	displayName: 'Source',
	name: 'source',
	type: 'options',
	options: [
		{
			name: 'Binary Data',
			value: 'binary',
			description: 'A file in the item, from an earlier node',
		},
		{
			name: 'URL',
			value: 'url',
			description: 'A file on the web, streamed to the service without being stored in n8n',
		},
	],
	default: 'binary',
	description: 'Where the file comes from',
};

export const binaryField: INodeProperties = {
	displayName: 'Input Binary Field',
	name: 'binaryPropertyName',
	type: 'string',
	required: true,
	default: 'data',
	hint: 'The name of the input binary field containing the file to be uploaded',
	displayOptions: { show: { source: ['binary'] } },
	description: 'Field of the input item that holds the file',
};

/** Of Upload alone. */
export const binaryFilesField: INodeProperties = {
	...binaryField,
	hint: 'The name of the input binary field containing the file to be uploaded, several names separated by commas, or * for all files of the item',
	description:
		'Fields of the input item that hold the files. Each file becomes an output item; of several files, File Name and Title must be empty.',
};

export const urlField: INodeProperties = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. https://files.example.com/keynote.mp4',
	displayOptions: { show: { source: ['url'] } },
	description:
		'URL that the file can be downloaded from without signing in. The access token of the credential is not sent to it.',
};

export const uploadPlanIdOption: INodeProperties = {
	...planIdOption,
	description: 'Plan in which the new video is looked up, instead of the Plan ID of the credential',
};

const idleTimeoutSeconds: INodeProperties = {
	displayName: 'Idle Timeout (Seconds)',
	name: 'idleTimeoutSeconds',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 60,
	description:
		'How long the connection may be idle before the upload resumes over a new one. An upload that makes progress has no time limit.',
};

const maxRequestMegabytes: INodeProperties = {
	displayName: 'Max Request Size (MB)',
	name: 'maxRequestMegabytes',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 0,
	description:
		'Largest request body in megabytes (1,048,576 bytes), for a proxy that limits it. With 0, one request sends all remaining bytes.',
};

const maxWaitMinutes: INodeProperties = {
	displayName: 'Max Wait (Minutes)',
	name: 'maxWaitMinutes',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 60,
	description:
		'How long to wait while another upload of the application is active. The service accepts one upload at a time.',
};

const resumeUnfinished: INodeProperties = {
	displayName: 'Resume Unfinished',
	name: 'resumeUnfinished',
	type: 'boolean',
	default: true,
	description:
		'Whether to resume an interrupted upload of the same file (name, size, folder and content) that this n8n remembers, instead of starting a new one',
};

const returnVideo: INodeProperties = {
	displayName: 'Return Video',
	name: 'returnVideo',
	type: 'boolean',
	default: true,
	description:
		'Whether to find the new video in the plan after the upload and return it. Requires a plan ID here or in the credential.',
};

const skipIfExists: INodeProperties = {
	displayName: 'Skip If Exists',
	name: 'skipIfExists',
	type: 'boolean',
	default: false,
	description:
		'Whether to skip the upload and return the existing video when the chosen folder (without one, the plan) already has a video of that name: the Title, or without one the file name with or without its extension. Requires a plan ID here or in the credential.',
};

/** Of Upload alone. */
export const titleOption: ContentField = {
	displayName: 'Title',
	name: 'title',
	type: 'string',
	default: '',
	placeholder: 'e.g. Interview, final cut',
	description:
		'Name of the new video instead of the file name, set after the upload. Requires a plan ID here or in the credential.',
	isContent: true,
};

/** Of Upload alone. */
export const thumbnailOption: INodeProperties = {
	displayName: 'Thumbnail Binary Field',
	name: 'thumbnailBinaryPropertyName',
	type: 'string',
	default: '',
	placeholder: 'e.g. thumbnail',
	description:
		'Field of the input item that holds the image for the thumbnail of the new video. Requires a plan ID here or in the credential.',
};

export const uploadOptions = {
	idleTimeoutSeconds,
	maxRequestMegabytes,
	maxWaitMinutes,
	resumeUnfinished,
	returnVideo,
	skipIfExists,
};
