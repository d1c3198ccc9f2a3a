import { NodeOperationError, type INodeProperties } from 'n8n-workflow';

import { toFlag, toNumber, toRequiredText, toText } from '../../parameters/values';
import { isUploadId } from '../../upload/tus/uploadUrl';
import { createFolderOption } from '../fields';
import type { ItemParameters } from '../parameters';
import { thumbnailOption, titleOption, transferOptions, uploadIdField } from './fields';

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
export function transferOptionsOf(item: ItemParameters): TransferOptions {
	const { option } = item;
	const number = (field: INodeProperties, least: number, most: number) =>
		numberOption(item, field, least, most);
	const flag = (field: INodeProperties) => option(field, toFlag);
	return {
		createFolder: flag(createFolderOption),
		idleTimeoutSeconds: number(transferOptions.idleTimeoutSeconds, 0.05, Math.floor(LONGEST_TIMER_MS / 1000)),
		maxRequestMegabytes: number(transferOptions.maxRequestMegabytes, 0, Number.MAX_SAFE_INTEGER / 2 ** 20),
		maxWaitMinutes: maxWaitMinutesOf(item),
		resumeUnfinished: flag(transferOptions.resumeUnfinished),
		returnVideo: flag(transferOptions.returnVideo),
		skipIfExists: flag(transferOptions.skipIfExists),
		title: option(titleOption, toText),
		thumbnailField: option(thumbnailOption, toText),
	};
}

/**
 * The option Max Wait, which Create has as well.
 *
 * @throws NodeOperationError when it is out of its range
 */
export function maxWaitMinutesOf(item: ItemParameters): number {
	return numberOption(item, transferOptions.maxWaitMinutes, 0, Math.floor(LONGEST_TIMER_MS / 60_000));
}

function numberOption({ option }: ItemParameters, field: INodeProperties, min: number, max: number): number {
	const range = { min, max, fractions: true };
	// The default of a number field is a number; n8n's type allows any.
	return option(field, (label, value) => toNumber(label, value, range)) ?? Number(field.default);
}

/**
 * The parameter Upload ID.
 *
 * @throws NodeOperationError when it is empty or not valid
 */
export function uploadIdOf({ context, itemIndex, read }: ItemParameters): string {
	const uploadId = read(uploadIdField, toRequiredText);
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
