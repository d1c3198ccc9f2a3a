import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';

import { planOrDefault } from '../service/plan';
import { HASH_REGEX, UUID_REGEX } from './fields';

/**
 * The plan of an operation: its own Plan ID, else the credential's.
 *
 * @throws NodeOperationError when both are empty
 */
export async function planIdParameter(context: IExecuteFunctions, itemIndex: number): Promise<string> {
	return await planOrDefault(context, textParameter(context, 'planId', itemIndex), itemIndex);
}

/** @throws NodeOperationError when the parameter `event` holds no hash */
export function eventHashParameter(context: IExecuteFunctions, itemIndex: number): string {
	return hashParameter(context, itemIndex, 'event', 'Event');
}

/** @throws NodeOperationError when the parameter `video` holds no hash */
export function videoHashParameter(context: IExecuteFunctions, itemIndex: number): string {
	return hashParameter(context, itemIndex, 'video', 'Video');
}

function hashParameter(
	context: IExecuteFunctions,
	itemIndex: number,
	name: 'event' | 'video',
	label: string,
): string {
	const hash = textParameter(context, name, itemIndex);
	if (hash === '') {
		throw invalidParameter(
			context,
			itemIndex,
			`${label} is empty: choose one from the list or enter its hash`,
		);
	}
	if (!new RegExp(HASH_REGEX).test(hash)) {
		throw invalidParameter(
			context,
			itemIndex,
			`${label} "${hash}" is not a hash: it has no white space and is no web address. Choose one from the list or enter its hash`,
		);
	}
	return hash;
}

/** @throws NodeOperationError when the parameter `folder` holds no UUID */
export function folderUuidParameter(context: IExecuteFunctions, itemIndex: number): string {
	const uuid = optionalFolderUuidParameter(context, itemIndex);
	if (uuid !== undefined) return uuid;
	throw invalidParameter(context, itemIndex, 'Folder is empty: choose one from the list or enter its UUID');
}

/**
 * The gallery of an operation that can do without one; undefined when the parameter `folder` is empty.
 *
 * @throws NodeOperationError when the parameter is filled with something else than a UUID
 */
export function optionalFolderUuidParameter(
	context: IExecuteFunctions,
	itemIndex: number,
): string | undefined {
	const uuid = textParameter(context, 'folder', itemIndex);
	if (uuid === '') return undefined;
	if (!new RegExp(UUID_REGEX).test(uuid))
		throw invalidParameter(context, itemIndex, `Folder "${uuid}" is not a UUID`);
	return uuid;
}

/** How many records Get Many returns: all of them (Infinity) or up to Limit. */
export function limitParameter(context: IExecuteFunctions, itemIndex: number): number {
	if (context.getNodeParameter('returnAll', itemIndex)) return Infinity;
	const text = textParameter(context, 'limit', itemIndex);
	const limit = Number(text);
	if (Number.isInteger(limit) && limit > 0) return limit;
	throw invalidParameter(context, itemIndex, `Limit "${text}" is not a whole number of 1 or more`);
}

/**
 * A text parameter that must be filled.
 *
 * @param label its name in the panel
 * @throws NodeOperationError when it is empty
 */
export function requiredTextParameter(
	context: IExecuteFunctions,
	itemIndex: number,
	name: string,
	label: string,
): string {
	const text = textParameter(context, name, itemIndex);
	if (text === '') throw invalidParameter(context, itemIndex, `${label} is empty: enter one`);
	return text;
}

/** A parameter, or the value of a resource locator, as {@link toText} reads it. */
export function textParameter(context: IExecuteFunctions, name: string, itemIndex: number): string {
	return toText(context.getNodeParameter(name, itemIndex, '', { extractValue: true }));
}

/**
 * What an expression or a person gave as a text without surrounding white space: numbers are texts, n8n's dates are ISO
 * texts, and what is neither is ''.
 */
export function toText(value: unknown): string {
	// Luxon's DateTime and JavaScript's Date become ISO texts in JSON; an invalid one becomes null.
	const plain: unknown =
		value instanceof Object && 'toJSON' in value ? JSON.parse(JSON.stringify(value)) : value;
	return typeof plain === 'string' || typeof plain === 'number' ? String(plain).trim() : '';
}

/** The error for a parameter that cannot be sent: one sentence that names the parameter and says what to do. */
export function invalidParameter(
	context: IExecuteFunctions,
	itemIndex: number,
	message: string,
): NodeOperationError {
	return new NodeOperationError(context.getNode(), message, { itemIndex });
}
