import { NodeOperationError, type INodeProperties } from 'n8n-workflow';

import { toFlag, toNumber, toRequiredText, toText } from '../../parameters/values';
import { isUploadId } from '../../upload/tus/uploadRequests';
import type { UploadJob } from '../../upload/uploadJob';
import { createFolderOption } from '../fields';
import type { ItemParameters } from '../parameters';
import { thumbnailOption, titleOption, uploadIdField, uploadOptions } from './fields';

/** The options of Upload and Resume, with their defaults. */
export interface UploadOptions {
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

const BYTES_PER_MEGABYTE = 1_048_576;

/** The longest time that a timer of Node.js accepts, in milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** @throws NodeOperationError when a value is of an unexpected type or out of its range */
export function uploadOptionsOf(item: ItemParameters): UploadOptions {
	const { option } = item;
	const number = (field: INodeProperties, least: number, most: number) =>
		numberOption(item, field, least, most);
	const flag = (field: INodeProperties) => option(field, toFlag);
	return {
		createFolder: flag(createFolderOption),
		idleTimeoutSeconds: number(uploadOptions.idleTimeoutSeconds, 0.05, Math.floor(LONGEST_TIMER_MS / 1000)),
		maxRequestMegabytes: number(uploadOptions.maxRequestMegabytes, 0, Number.MAX_SAFE_INTEGER / 2 ** 20),
		maxWaitMinutes: maxWaitMinutesOf(item),
		resumeUnfinished: flag(uploadOptions.resumeUnfinished),
		returnVideo: flag(uploadOptions.returnVideo),
		skipIfExists: flag(uploadOptions.skipIfExists),
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
	return numberOption(item, uploadOptions.maxWaitMinutes, 0, Math.floor(LONGEST_TIMER_MS / 60_000));
}

function numberOption({ option }: ItemParameters, field: INodeProperties, min: number, max: number): number {
	const range = { min, max, fractions: true };
	// The default of a number field is a number; n8n's type allows any.
	return option(field, (label, value) => toNumber(label, value, range)) ?? Number(field.default);
}

/** The options as whole numbers of milliseconds and bytes: timers, headers and ranges accept no others. */
export function limitsOf({
	idleTimeoutSeconds,
	maxRequestMegabytes,
	maxWaitMinutes,
}: UploadOptions): Pick<UploadJob, 'idleTimeoutMs' | 'maxRequestBytes' | 'maxWaitMs'> {
	return {
		idleTimeoutMs: Math.max(1, Math.round(idleTimeoutSeconds * 1000)),
		maxRequestBytes:
			maxRequestMegabytes === 0
				? Infinity
				: Math.max(1, Math.round(maxRequestMegabytes * BYTES_PER_MEGABYTE)),
		maxWaitMs: Math.round(maxWaitMinutes * 60_000),
	};
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
