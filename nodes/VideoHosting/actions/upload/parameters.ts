import { NodeOperationError, type IExecuteFunctions, type INodeProperties } from 'n8n-workflow';

import { isUploadId } from '../../upload/tus/uploadUrl';
import { createFolderOption } from '../fields';
import { booleanParameter, numberParameter, requiredTextParameter, textParameter } from '../parameters';
import { thumbnailOption, titleOption, transferOptions } from './fields';

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

/** The longest time that a timer of Node.js accepts, in milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** @throws NodeOperationError when a value is of an unexpected type or out of its range */
export function transferOptionsOf(context: IExecuteFunctions, itemIndex: number): TransferOptions {
	const number = (field: INodeProperties, least: number, most: number) =>
		numberOption(context, itemIndex, field, least, most);
	const flag = ({ name, displayName, default: byDefault }: INodeProperties) =>
		booleanParameter(context, itemIndex, `options.${name}`, displayName, byDefault === true);
	const text = ({ name, displayName }: INodeProperties) =>
		textParameter(context, itemIndex, `options.${name}`, displayName);
	return {
		createFolder: flag(createFolderOption),
		idleTimeoutSeconds: number(transferOptions.idleTimeoutSeconds, 0.05, Math.floor(LONGEST_TIMER_MS / 1000)),
		maxRequestMegabytes: number(transferOptions.maxRequestMegabytes, 0, Number.MAX_SAFE_INTEGER / 2 ** 20),
		maxWaitMinutes: maxWaitMinutesOf(context, itemIndex),
		resumeUnfinished: flag(transferOptions.resumeUnfinished),
		returnVideo: flag(transferOptions.returnVideo),
		skipIfExists: flag(transferOptions.skipIfExists),
		title: text(titleOption),
		thumbnailField: text(thumbnailOption),
	};
}

/**
 * The option Max Wait, which Create has as well.
 *
 * @throws NodeOperationError when it is out of its range
 */
export function maxWaitMinutesOf(context: IExecuteFunctions, itemIndex: number): number {
	return numberOption(
		context,
		itemIndex,
		transferOptions.maxWaitMinutes,
		0,
		Math.floor(LONGEST_TIMER_MS / 60_000),
	);
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
 * The parameter Upload ID.
 *
 * @throws NodeOperationError when it is empty or not valid
 */
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
