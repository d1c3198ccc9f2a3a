import type { IBinaryKeyData, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isRecord } from '../shared/jsonFields';
import { nodeRunOf } from '../shared/nodeRun';
import { mayBeCarriedOut, operationError, toNodeError, withAdvice } from '../transport/errors';
import { cancelSignal } from '../transport/request';
import { withMarkedSecrets, withoutSecrets } from '../transport/secrets';
import { Item } from './item';
import { PendingResult, type Operation } from './operation';
import { RESOURCES } from './panel';
import { jsonObject } from './recordOutput';
import { retryMemory, showHints } from './retryMemory';

/**
 * Runs the chosen operation for one input item after the other, or for one part of it after the other, and pairs every output
 * item with its input item. When the node continues on errors, a failed part becomes an {@link errorItem} and the next one
 * follows. What an earlier try has completed is returned without running it again.
 *
 * @throws NodeApiError or NodeOperationError that names the item, when the node is to stop on errors
 */
export async function executeItems(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const run = nodeRunOf(context);
	run.beginTry(context);
	let isFailed = false;
	try {
		const output = await executeUnits(context);
		// n8n-core 2.41.1 dist/execution-engine/workflow-execute.js, `checkFailure`
		isFailed = output[0]?.json.error !== undefined;
		return output;
	} catch (error) {
		isFailed = !isCancelled(context);
		throw toNodeError(context, error);
	} finally {
		run.endTry(context, isFailed);
	}
}

async function executeUnits(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const units = [...context.getInputData().keys()].flatMap((itemIndex) => unitsOf(context, itemIndex));
	const { completed, final, hints } = retryMemory(context);
	showHints(context, hints);
	const failed = new Map<Unit, INodeExecutionData[]>();
	const pending = new Map<Unit, PendingResult>();
	try {
		for (const unit of units) {
			if (completed.has(unit.key)) continue;
			try {
				if (final.has(unit.key)) throw final.get(unit.key);
				const result = await unit.operation.execute(unit.item);
				if (result instanceof PendingResult) pending.set(unit, result);
				else completed.set(unit.key, unit.output(result));
			} catch (error) {
				if (mayBeCarriedOut(error)) final.set(unit.key, error);
				failed.set(unit, unit.failedOutput(error));
			}
			// What comes after a failed one is not started.
			if (stopsOnError(context) && [...pending.values()].some(({ failure }) => failure)) break;
		}
		const output = await Promise.all(
			units.map(async (unit) => {
				try {
					const known = completed.get(unit.key) ?? failed.get(unit);
					return known ?? unit.output(await pending.get(unit)?.result);
				} catch (error) {
					return unit.failedOutput(error);
				}
			}),
		);
		// n8n changes items of the output; the next try needs them as they are.
		return output.flat().map((item) => ({ ...item }));
	} catch (error) {
		const isTriedAgain = nodeRunOf(context).hasTriesLeft(context) && !isCancelled(context);
		if (!isTriedAgain) for (const { abandon } of pending.values()) abandon();
		throw toNodeError(context, error);
	} finally {
		await Promise.allSettled([...pending.values()].map(async ({ result }) => await result));
		for (const [unit, { result, failure }] of pending) {
			if (!failure) completed.set(unit.key, unit.output(await result));
		}
	}
}

/** What the loop runs: the chosen operation for one input item, or for one of its parts. */
class Unit {
	/** By which another try knows it. */
	readonly key: string;

	/** @param part what the user knows it by, when the item has several */
	constructor(
		readonly item: Item,
		readonly operation: Pick<Operation, 'execute' | 'keepsBinary'>,
		private readonly part?: { label: string; position: number },
	) {
		this.key = JSON.stringify([item.itemIndex, part]);
	}

	/** An item for each record, also for one that is not an object. */
	output(result: unknown): INodeExecutionData[] {
		const { context, itemIndex, showsSecrets } = this.item;
		const { binary } = context.getInputData()[itemIndex] ?? {};
		const kept = this.operation.keepsBinary && binary ? { binary } : {};
		const shown = showsSecrets ? withMarkedSecrets(result) : withoutSecrets(result);
		const records: unknown[] = [shown].flat(Infinity);
		return records.map((record) => ({ json: jsonObject(record), ...kept, pairedItem: { item: itemIndex } }));
	}

	/** @throws NodeApiError or NodeOperationError when the node is to stop on errors */
	failedOutput(error: unknown): INodeExecutionData[] {
		const { context, file, itemIndex } = this.item;
		const failure = toNodeError(context, error);
		failure.context.itemIndex = itemIndex;
		const label = this.part && `${this.part.label}: `;
		const isNamed = typeof file === 'string' && failure.message.includes(`"${file}"`);
		// That of an earlier try has it already.
		if (label !== undefined && !isNamed && !failure.message.startsWith(label))
			failure.message = label + failure.message;
		if (stopsOnError(context)) throw failure;
		const { binary } = context.getInputData()[itemIndex] ?? {};
		const own =
			typeof file === 'string' ? binary?.[file] && { [file]: binary[file] } : file && { data: file };
		// For the next node, the file of a part is the only one of the item.
		return [errorItem(failure, itemIndex, this.part ? own : binary)];
	}
}

/**
 * The output item of a failed input item, for a node that continues on errors: `{ error: "message. description" }`, or with
 * details `{ error: { message, description, …details } }` and the files of the input item, so that the next node can continue.
 *
 * n8n replaces the JSON of an item that has the field `error` by the message alone (normalizeNodeErrors), and routes an
 * item without that field to the error output only when its JSON consists of `error`, in n8n 1.x optionally with
 * `message` (handleNodeErrorOutput; both in n8n-core 2.41.1 and 1.122.48 dist/execution-engine/workflow-execute.js). So the
 * description is part of the message, and the details are inside `error`, the places that survive both.
 */
function errorItem(
	error: ReturnType<typeof toNodeError>,
	itemIndex: number,
	binary?: IBinaryKeyData,
): INodeExecutionData {
	const pairedItem = { item: itemIndex };
	const { message, description } = error;
	const fields = error.context.output;
	if (!isRecord(fields)) {
		error.message = withAdvice(error);
		return { json: { error: error.message }, error, pairedItem };
	}
	return {
		json: { error: { message, ...(description ? { description } : {}), ...fields } },
		...(binary ? { binary } : {}),
		pairedItem,
	};
}

/** What there is to run for an input item. An item that cannot be divided fails when it is its turn. */
function unitsOf(context: IExecuteFunctions, itemIndex: number): Unit[] {
	const item = new Item(context, itemIndex);
	try {
		const operation = chosenOperation(context, itemIndex);
		const parts = operation.parts?.(item) ?? [item];
		if (parts.length === 1) return parts.map((part) => new Unit(part, operation));
		return parts.map((part, position) => {
			const { file } = part;
			const label =
				typeof file === 'string'
					? `Binary field "${file}"`
					: `File ${file?.fileName === undefined ? position + 1 : `"${file.fileName}"`}`;
			return new Unit(part, operation, { label, position });
		});
	} catch (error) {
		const execute = async () => await Promise.reject(toNodeError(context, error));
		return [new Unit(item, { execute })];
	}
}

/** A cancelled execution starts no further item, whatever the setting. */
function stopsOnError(context: IExecuteFunctions): boolean {
	return !context.continueOnFail() || isCancelled(context);
}

function isCancelled(context: IExecuteFunctions): boolean {
	return cancelSignal(context)?.aborted ?? false;
}

function chosenOperation(context: IExecuteFunctions, itemIndex: number): Operation {
	const resourceName: string = context.getNodeParameter('resource', itemIndex);
	const operationName: string = context.getNodeParameter('operation', itemIndex);
	// A workflow file may contain anything: a map converts no key, and has no fields of a prototype.
	const { operations = {} } = new Map(Object.entries(RESOURCES)).get(resourceName) ?? {};
	const operation = new Map(Object.entries(operations)).get(operationName);
	if (operation) return operation;
	throw operationError(
		context,
		`The node has no operation "${operationName}" for the resource "${resourceName}": choose both from their lists`,
	);
}
