import { NodeOperationError, type IExecuteFunctions, type INodeProperties } from 'n8n-workflow';

import { binarySource } from '../../transfer/source/binarySource';
import type { Source } from '../../transfer/source/source';
import { urlSource } from '../../transfer/source/urlSource';
import { isUploadId } from '../../transfer/tus/uploadUrl';
import { binaryFile } from '../binaryFile';
import { createFolderOption, folderField, planIdField } from '../fields';
import {
	binaryParameter,
	booleanParameter,
	choiceParameter,
	invalidParameter,
	numberParameter,
	requiredTextParameter,
	textParameter,
	urlParameter,
} from '../parameters';

export const fileNameField: INodeProperties = {
	displayName: 'File Name',
	name: 'fileName',
	type: 'string',
	default: '',
	placeholder: 'e.g. keynote.mp4',
	description:
		'Name of the new video. Leave it empty to use the name of the binary file, or the last part of the URL.',
};

export const uploadFolderField: INodeProperties = {
	...folderField,
	required: false,
	description:
		'Folder (gallery) for the video, from the list or by its UUID or exact name. Leave it empty to upload without a folder.',
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

/** Where the file comes from: shared by Upload and Resume. */
export const sourceFields: INodeProperties[] = [
	{
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
	},
	{
		displayName: 'Input Binary Field',
		name: 'binaryPropertyName',
		type: 'string',
		required: true,
		default: 'data',
		hint: 'The name of the input binary field containing the file to be uploaded',
		displayOptions: { show: { source: ['binary'] } },
		description: 'Field of the input item that holds the file',
	},
	{
		displayName: 'URL',
		name: 'url',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. https://files.example.com/keynote.mp4',
		displayOptions: { show: { source: ['url'] } },
		description:
			'URL that the file can be downloaded from without signing in. The access token of the credential is not sent to it.',
	},
];

export const uploadPlanIdField: INodeProperties = {
	...planIdField,
	description:
		'Plan in which the new video is looked up. Leave it empty to use the Default Plan ID of the credential.',
};

const idleTimeoutSeconds: INodeProperties = {
	displayName: 'Idle Timeout (Seconds)',
	name: 'idleTimeoutSeconds',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 60,
	description:
		'How long to wait while no byte moves before the upload resumes over a new connection. An upload that makes progress has no time limit.',
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
		'Whether to resume an interrupted upload of the same file (name, size and folder) that this workflow remembers, instead of starting a new one',
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
		'Whether to upload nothing when the chosen folder (without one, the plan) has a video of this name or title already, and return that video. Requires a plan ID here or in the credential.',
};

/** Of Upload alone. */
export const titleOption: INodeProperties = {
	displayName: 'Title',
	name: 'title',
	type: 'string',
	default: '',
	placeholder: 'e.g. Interview, final cut',
	description:
		'Name that the new video gets after the upload instead of the file name. Requires a plan ID here or in the credential.',
};

/** Of Upload alone. */
export const thumbnailOption: INodeProperties = {
	displayName: 'Thumbnail Binary Field',
	name: 'thumbnailBinaryPropertyName',
	type: 'string',
	default: '',
	placeholder: 'e.g. thumbnail',
	description:
		'Field of the input item with an image that becomes the thumbnail of the new video. Requires a plan ID here or in the credential.',
};

export const transferOptions = {
	idleTimeoutSeconds,
	maxRequestMegabytes,
	maxWaitMinutes,
	resumeUnfinished,
	returnVideo,
	skipIfExists,
};

/** The options of Upload and Resume, with their defaults. */
export interface TransferOptions {
	/** Of Upload alone. */
	createFolder: boolean;
	idleTimeoutSeconds: number;
	maxRequestMegabytes: number;
	maxWaitMinutes: number;
	resumeUnfinished: boolean;
	returnVideo: boolean;
	skipIfExists: boolean;
	/** Of Upload alone; '' when empty. */
	title: string;
	/** Of Upload alone; '' when empty. */
	thumbnailField: string;
}

/** The longest time that a timer of Node.js takes, in milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** @throws NodeOperationError when a number is out of its range */
export function transferOptionsOf(context: IExecuteFunctions, itemIndex: number): TransferOptions {
	const number = (field: INodeProperties, least: number, most: number) =>
		numberOption(context, itemIndex, field, least, most);
	const flag = ({ name, displayName, default: byDefault }: INodeProperties) =>
		booleanParameter(context, itemIndex, `options.${name}`, displayName, byDefault === true);
	return {
		createFolder: flag(createFolderOption),
		idleTimeoutSeconds: number(idleTimeoutSeconds, 0.05, Math.floor(LONGEST_TIMER_MS / 1000)),
		maxRequestMegabytes: number(maxRequestMegabytes, 0, Number.MAX_SAFE_INTEGER / 2 ** 20),
		maxWaitMinutes: maxWaitMinutesOf(context, itemIndex),
		resumeUnfinished: flag(resumeUnfinished),
		returnVideo: flag(returnVideo),
		skipIfExists: flag(skipIfExists),
		title: textParameter(context, itemIndex, 'options.title', 'Title'),
		thumbnailField: textParameter(
			context,
			itemIndex,
			'options.thumbnailBinaryPropertyName',
			'Thumbnail Binary Field',
		),
	};
}

/**
 * The option Max Wait, which Create has as well.
 *
 * @throws NodeOperationError when it is out of its range
 */
export function maxWaitMinutesOf(context: IExecuteFunctions, itemIndex: number): number {
	return numberOption(context, itemIndex, maxWaitMinutes, 0, Math.floor(LONGEST_TIMER_MS / 60_000));
}

function numberOption(
	context: IExecuteFunctions,
	itemIndex: number,
	{ name, displayName, default: byDefault }: INodeProperties,
	min: number,
	max: number,
): number {
	const range = { min, max, fractions: true };
	// The default of a number field is a number; n8n's type allows any.
	return numberParameter(context, itemIndex, `options.${name}`, displayName, range) ?? Number(byDefault);
}

/**
 * The file to upload, from the item's binary data or from its URL.
 *
 * @param timeoutMs how long the server of a URL may take to start its response, in milliseconds
 * @throws NodeOperationError when there is no such binary data or the URL is not valid; TransferError when the
 * server of the URL rejects the request or does not return the size
 */
export async function sourceOf(
	context: IExecuteFunctions,
	itemIndex: number,
	timeoutMs: number,
): Promise<Source> {
	if (choiceParameter(context, itemIndex, 'source', 'Source', ['binary', 'url']) === 'url') {
		return await urlSource(context, urlParameter(context, itemIndex), timeoutMs);
	}
	const binary = binaryParameter(context, itemIndex);
	return await binarySource(context, binaryFile(context, itemIndex, binary));
}

/**
 * The parameter File Name, else the file's own name.
 *
 * @throws NodeOperationError when both are empty
 */
export function fileNameOf(context: IExecuteFunctions, itemIndex: number, source: Source): string {
	const fileName = textParameter(context, itemIndex, 'fileName', 'File Name') || source.fileName;
	if (fileName !== undefined && fileName !== '') return fileName;
	throw invalidParameter(context, itemIndex, 'File Name is empty and the file has no name: enter one');
}

/** @throws NodeOperationError when the parameter Upload ID contains none */
export function uploadIdOf(context: IExecuteFunctions, itemIndex: number): string {
	const uploadId = requiredTextParameter(context, itemIndex, 'uploadId', 'Upload ID');
	if (isUploadId(uploadId)) return uploadId;
	throw new NodeOperationError(
		context.getNode(),
		`Upload ID "${uploadId}" is not valid: an ID has no slash, question mark, # or white space`,
		{
			itemIndex,
			description: 'Enter the ID alone, not the address of the upload.',
		},
	);
}
