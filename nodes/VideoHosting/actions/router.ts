import type { IBinaryKeyData, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { withoutMarks } from '../service/mark';
import { perRun } from '../shared/perRun';
import { afterItems, newHints, type Hint } from '../shared/runHints';
import { contextOfItem } from '../transport/credential';
import { mayBeCarriedOut } from '../transport/errorMeaning';
import { cancelSignal } from '../transport/request';
import { noteSecretFields, SECRET_FIELDS, secretRemover, shareSecrets } from '../transport/secrets';
import {
	around,
	asSentence,
	OperationError,
	shownError,
	toN8nError,
	withAdvice,
} from '../transport/serviceError';
import { failureHint, leftOutHint, showHints, skipAdvice, skipHint, timeZoneHint } from './hints';
import { isTool, Item, jsonObject, PendingResult, type Operation } from './operation';
import { OPERATIONS } from './panel';

/** One input item, or one of its files, with the operation that is chosen for it. */
interface Unit {
	item: Item;
	operation: Pick<Operation, 'execute' | 'returnsList' | 'skips'>;
	/** Name of the file in messages, when the item has several. */
	part?: string;
	/** Key that stays the same in each try of Retry On Fail. */
	key: string;
	/** Undefined until it has run. */
	outcome?: Outcome;
	hints?: Hint[];
	/** What it has put into {@link afterItems}. */
	later?: Array<(endedAt: number) => Promise<void>>;
}

/** `shown`: fields of the output that may hold a secret. */
type Outcome = { output: INodeExecutionData[]; shown: readonly string[] } | Failed;

type Failed = { failure: OperationError };

/** What another try must know of a unit. */
type Remembered = { outcome: Outcome; hints: Hint[] };

/**
 * Runs the chosen operation for each input item, or for each part of it, and pairs the output items with their input item. When the
 * node continues on errors, a failed part becomes an {@link errorItem}. Units that an earlier try completed are not repeated. Neither
 * are requests that the service may have carried out: their error is thrown again.
 *
 * @throws NodeApiError or NodeOperationError that names the item, when the node is to stop on errors
 */
export async function executeItems(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const units: Unit[] = [];
	const leftOut: string[] = [];
	for (const itemIndex of context.getInputData().keys())
		units.push(...(await unitsOf(context, itemIndex, leftOut)));
	const memory = retryMemory(context);
	shareSecrets(context, memory);
	const pending: Array<Promise<void>> = [];
	const failed = new Set<Unit>();

	const end = (unit: Unit, outcome: Outcome, hints = newHints(unit.item.context).splice(0)) => {
		unit.outcome = outcome;
		unit.hints = hints;
		unit.later = afterItems(unit.item.context).splice(0);
		// Another run may have read a record.
		if ('output' in outcome) noteSecretFields(context, outcome.output);
		else failed.add(unit);
		// Another try must not repeat it.
		if ('output' in outcome || mayBeCarriedOut(outcome.failure)) memory.set(unit.key, { outcome, hints });
	};
	const execute = async ({ item, operation }: Unit) => {
		item.context = await contextOfItem(context, item.itemIndex);
		// n8n reads a credential from its database each time: the next one while this item waits for the service.
		const next = item.itemIndex + 1;
		if (next < context.getInputData().length) void contextOfItem(context, next).catch(() => {});
		shareSecrets(item.context, memory);
		return await operation.execute(item);
	};
	const settle = async (unit: Unit, execution: Promise<unknown>) => {
		try {
			const result = await execution;
			if (result instanceof PendingResult) pending.push(settle(unit, result.result));
			else end(unit, { output: outputOf(unit, result), shown: unit.item.showsSecrets ? SECRET_FIELDS : [] });
		} catch (error) {
			end(unit, failureOf(unit, error));
		}
	};

	for (const unit of units) {
		// Units after a failed one are not started.
		if (failed.size > 0 && stopsOnError(context)) break;
		const known = memory.get(unit.key);
		if (known) end(unit, known.outcome, known.hints);
		else await settle(unit, execute(unit));
	}
	await Promise.all(pending);
	const endedAt = Date.now();
	for (const { hints, item, later = [] } of units) {
		for (const work of later) await work(endedAt);
		// The next try has the same list of hints.
		hints?.push(...newHints(item.context).splice(0));
	}
	const results = units.map((unit) => ({ ...unit, ...unit.outcome }));
	const failures = stopsOnError(context) ? [] : failureHint(results, nounOf(units));
	showHints(context, [
		...failures,
		...(await skipHint(results)),
		...timeZoneHint(results),
		...leftOutHint(leftOut),
		...units.flatMap(({ hints = [] }) => hints),
	]);
	// At the end, as a later item may have read a secret.
	const withoutSecrets = secretRemover(context);
	return units.flatMap((unit) => {
		const outcome = unit.outcome ?? { output: [], shown: [] };
		// n8n changes output items; the next try needs them unchanged.
		if ('output' in outcome)
			return outcome.output.map((item) => ({ ...item, json: withoutSecrets(item.json, outcome.shown) }));
		if (!stopsOnError(context)) return [errorItem(unit, outcome.failure)];
		const isComplete = ({ key }: Unit) => 'output' in (memory.get(key)?.outcome ?? {});
		const failure = withProgress(outcome.failure, units.filter(isComplete), units);
		throw toN8nError(unit.item.context, failure, unit.item.itemIndex);
	});
}

/** One item with the files of its input item, or an item for each record of a list. */
function outputOf(unit: Unit, result: unknown): INodeExecutionData[] {
	const { itemIndex } = unit.item;
	const isList = unit.operation.returnsList === true;
	const binary = isList ? undefined : filesOf(unit);
	const records: unknown[] = isList ? [result].flat() : [result];
	return records.map((record) =>
		record instanceof OperationError
			? errorItem(unit, record)
			: { json: jsonObject(record), binary, pairedItem: { item: itemIndex } },
	);
}

/** The files of the input item; of a part, only its own file. */
function filesOf({ item, part }: Unit): IBinaryKeyData | undefined {
	const { context, file, itemIndex } = item;
	const { binary } = context.getInputData()[itemIndex] ?? {};
	if (part === undefined || typeof file !== 'string') return binary;
	return binary?.[file] && { [file]: binary[file] };
}

/** What can be shown of an error, with the name of its part. A later item may have read a secret, so it is shown anew at the end. */
function failureOf({ item, part }: Unit, error: unknown): Failed {
	const { advice, message } = shownError(item.context, error);
	// The service may quote the title that it was sent.
	const texts = { message: withoutMarks(message), advice: withoutMarks(advice) };
	return { failure: around(error, { ...texts, before: part && `${part}:` }) };
}

/** Adds how many of several items are complete, and what keeps another run from repeating them. */
function withProgress(failure: OperationError, complete: Unit[], units: Unit[]): OperationError {
	if (units.length === 1) return failure;
	const count = complete.length;
	const progress = `${count} of ${units.length} ${nounOf(units)} ${count === 1 ? 'is' : 'are'} complete.`;
	const { advice } = failure;
	const sentences = [advice && asSentence(advice), progress, ...complete.slice(0, 1).flatMap(skipAdvice)];
	return around(failure, { advice: sentences.filter((sentence) => sentence !== '').join(' ') });
}

function nounOf(units: Unit[]): string {
	return units.some(({ part }) => part !== undefined) ? 'files' : 'items';
}

/**
 * The output item of a failed input item, for a node that continues on errors: the JSON and the files of its input item, and `error`:
 * `"message. description"`, or with details `{ message, description, …details }`.
 *
 * n8n replaces the JSON of an item that has the field `error` beside its JSON. To the error output it routes an item without that
 * field only when its JSON has `error` alone, and then adds the JSON of the input item itself (docs/n8n-internals.md#items-with-an-error).
 */
function errorItem(unit: Unit, error: OperationError): INodeExecutionData {
	const { context, itemIndex } = unit.item;
	const { advice, details, message } = shownError(context, error);
	const description = advice === '' ? {} : { description: advice };
	const shown = details.output
		? { message, ...description, ...details.output }
		: withAdvice({ message, advice });
	const isRouted = context.getNode().onError === 'continueErrorOutput';
	const input = isRouted ? {} : context.getInputData()[itemIndex]?.json;
	return { json: { ...input, error: shown }, binary: filesOf(unit), pairedItem: { item: itemIndex } };
}

/**
 * The units of an input item. An item that cannot be divided fails in its turn.
 *
 * @param leftOut gets what is not one of them
 */
async function unitsOf(context: IExecuteFunctions, itemIndex: number, leftOut: string[]): Promise<Unit[]> {
	const item = new Item(context, itemIndex);
	try {
		const operation = chosenOperation(context, itemIndex);
		const parts = (await operation.parts?.(item)) ?? { items: [item], leftOut: [] };
		leftOut.push(...parts.leftOut);
		return parts.items.map((part) => {
			const field = typeof part.file === 'string' ? part.file : '';
			const label = parts.items.length > 1 ? `Binary field ${JSON.stringify(field)}` : undefined;
			return { item: part, operation, part: label, key: JSON.stringify([itemIndex, field]) };
		});
	} catch (error) {
		const execute = async () => await Promise.reject(shownError(context, error));
		return [{ item, operation: { execute }, key: '' }];
	}
}

/** A cancelled execution starts no further item, even with On Error: Continue. */
function stopsOnError(context: IExecuteFunctions): boolean {
	return !context.continueOnFail() || (cancelSignal(context)?.aborted ?? false);
}

function chosenOperation(context: IExecuteFunctions, itemIndex: number): Operation {
	const resource: string = context.getNodeParameter('resource', itemIndex);
	const name: string = context.getNodeParameter('operation', itemIndex);
	const operation = OPERATIONS.get(`${resource}:${name}`);
	if (operation) return operation;
	throw new OperationError(
		`The node has no operation "${name}" for the resource "${resource}"`,
		'Choose both from their lists.',
	);
}

/** Of each run, by the JSON of its first input item. */
const memoriesOf = perRun(() => new Map<string, Map<string, Remembered>>());

/**
 * The memory that all tries of a run share (Retry On Fail); empty in each try without that setting.
 *
 * n8n makes a new context for each try, but the JSON of an input item stays the same object (docs/n8n-internals.md#tries). Its memory
 * ends with the object. Other runs, nodes and executions may have the same object, so each has a memory of its own.
 *
 * @returns what is remembered, by the keys of units
 */
function retryMemory(context: IExecuteFunctions): Map<string, Remembered> {
	const { name, retryOnFail } = context.getNode();
	const json = context.getInputData()[0]?.json;
	if (!retryOnFail || !json) return new Map();
	// Each try of an agent's tool may have a run index of its own, and each of its calls has a new object.
	const runIndex: unknown = isTool(context) ? undefined : context.getWorkflowDataProxy(0).$runIndex;
	const run = JSON.stringify([context.getExecutionId(), name, runIndex]);
	const memories = memoriesOf(json);
	const memory = memories.get(run) ?? new Map<string, Remembered>();
	memories.set(run, memory);
	return memory;
}
