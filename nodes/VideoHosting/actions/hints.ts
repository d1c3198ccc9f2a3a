import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { quoted } from '../parameters/values';
import { existingFolder } from '../service/folders';
import { isRecord } from '../shared/jsonFields';
import type { Hint } from '../shared/runHints';
import { shortened } from '../shared/text';
import { hideSecrets } from '../transport/secrets';
import type { OperationError } from '../transport/serviceError';
import { skipIfExistsOption } from './fields';
import type { Item, Operation } from './operation';

/** More of them would hide the output. */
const MOST_SHOWN = 5;
/** In characters. */
const LONGEST = 300;

/**
 * Shows the first hints of a run, each text once, and how many are left out. A file may have any name, and n8n renders hints as HTML.
 */
export function showHints(context: IExecuteFunctions, hints: readonly Hint[]): void {
	const once = [...new Map(hints.map((hint) => [hint.text, hint])).values()];
	const shown = once.slice(0, MOST_SHOWN);
	const left = once.length - shown.length;
	if (left > 0) shown.push({ text: `Further hints that are not shown: ${left}`, type: 'info' });
	for (const { text, type } of shown) {
		const message = escaped(shortened(hideSecrets(context, text), LONGEST));
		context.addExecutionHints({ message, type, location: 'outputPane' });
	}
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text as HTML. */
function escaped(text: string): string {
	return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
}

/** A unit that the router has run. */
interface Result {
	item: Item;
	operation: Pick<Operation, 'skips'>;
	/** Undefined for one that has failed. */
	output?: INodeExecutionData[];
	failure?: OperationError;
}

/** The hint about units that failed in a run that continues, and looks like one that did everything. */
export function failureHint(results: readonly Result[], what: string): Hint[] {
	const [first, ...others] = results.flatMap(({ failure }) => failure ?? []);
	if (!first) return [];
	return [
		{ text: `${others.length + 1} of ${results.length} ${what} failed: ${first.message}`, type: 'warning' },
	];
}

/** The hint about events that a run stores by several clocks, where Time Zone is mapped from each calendar entry. */
export function timeZoneHint(results: readonly Result[]): Hint[] {
	const sent = results.map(({ output }) => output?.[0]?.json.sent).filter(isRecord);
	const zones = new Set(sent.flatMap(({ timezone }) => (typeof timezone === 'string' ? timezone : [])));
	if (zones.size < 2) return [];
	const text = `The dates of this run are stored in several time zones: ${[...zones].join(', ')}. Enter one Time Zone for all events, or Skip If Exists does not find them`;
	return [{ text, type: 'warning' }];
}

/** The hint about files that `*` in Input Binary Field leaves out. */
export function leftOutHint(files: readonly string[]): Hint[] {
	if (files.length === 0) return [];
	const noun = files.length === 1 ? 'file' : 'files';
	const text = `Left out ${files.length} ${noun} as no video: ${[...new Set(files)].join(', ')}`;
	return [{ text, type: 'info' }];
}

/** What to do about a complete unit before a run is repeated; nothing for an operation that cannot skip. */
export function skipAdvice({ item, operation }: Result): string[] {
	if (!operation.skips) return [];
	return item.read(skipIfExistsOption)
		? ['Skip If Exists leaves them out the next time.']
		: ['Before you run this again, add Skip If Exists.'];
}

/** The hint about what Skip If Exists left out, if anything: a run that skips everything looks like one that did everything. */
export async function skipHint(results: readonly Result[]): Promise<Hint[]> {
	const skipped = results.filter(
		({ operation, output }) => operation.skips && output?.[0]?.json.skipped === true,
	);
	const [first] = skipped;
	if (!first?.operation.skips) return [];
	const { items, existing } = first.operation.skips;
	const folders = new Set(skipped.flatMap(unchosenFolder));
	const names = await Promise.all([...folders].map(async (uuid) => await nameOf(first.item.context, uuid)));
	const place = names.length > 0 ? `, in the folder ${names.join(', ')}` : '';
	const text = `Skipped ${skipped.length} of ${results.length} ${items}: ${existing} exist already${place}`;
	return [{ text, type: 'info' }];
}

/** The UUID of the folder that a skipped video is in, where the user chose none. */
function unchosenFolder({ item, operation, output }: Result): string[] {
	const chosen = operation.skips?.folder;
	const folder = output?.[0]?.json.folder;
	return chosen && item.read(chosen) === undefined && typeof folder === 'string' ? [folder] : [];
}

async function nameOf(context: IExecuteFunctions, uuid: string): Promise<string> {
	const folder = await existingFolder(context, uuid).catch(() => undefined);
	return quoted(folder?.name ?? uuid);
}
