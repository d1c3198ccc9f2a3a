import { toDateTimeText } from '../../parameters/dates';
import { requiredText } from '../../parameters/parameter';
import { InvalidParameterError, quoted } from '../../parameters/values';
import { hasKnownStatus, stageOf, type Event } from '../../service/event';
import { eventLists, isWaiting, STAGES } from '../../service/events';
import { markOf } from '../../service/mark';
import { checkNamed, EVENTS } from '../../service/onlyMatch';
import { serviceTime } from '../../service/record';
import { perRun } from '../../shared/perRun';
import { addHint } from '../../shared/runHints';
import { excerpt } from '../../shared/text';
import { applicationOf, contextOfItem } from '../../transport/credential';
import { OperationError } from '../../transport/serviceError';
import { planIdOf, planIdOption } from '../fields';
import { Item, type Operation } from '../operation';
import { dateScheduledField, titleField, zoneOption } from './create';
import { secretOption } from './eventForChange';
import { createMarked, deleteKnown, isAsWanted, renamed, type Wanted } from './markedEvent';

const externalIdField = requiredText({
	displayName: 'External ID',
	name: 'externalId',
	placeholder: 'e.g. 6q2m8t1v0d',
	description:
		'ID of the entry that the event is for, such as a calendar entry; of a series, the ID of the instance. Never invent it: an event belongs to an entry that exists.',
});

const dateField = {
	...dateScheduledField,
	description: `${dateScheduledField.description} A moved event gets a new hash, so links to it change.`,
};

/**
 * See docs/api-reference.md#create-an-event, docs/api-reference.md#update-an-event and docs/api-reference.md#delete-events (L5). The service
 * cannot change a date: a moved event is created before the old one is deleted, so an interruption leaves two, which the next run tidies up.
 */
export const upsert: Operation = {
	name: 'Create or Update',
	description: 'Create a new event, or update the current one if it already exists (upsert)',
	// The one text that an AI agent reads (docs/n8n-internals.md#tools-of-an-agent): a model must not invent the ID.
	action: 'Create or update live event without inventing an ID',
	parameters: [externalIdField, titleField, dateField, planIdOption, secretOption, zoneOption],
	async execute(item) {
		const { context } = item;
		const externalId = item.read(externalIdField);
		const title = item.read(titleField);
		item.read(secretOption);
		const sent = dateOf(item);
		const planId = await planIdOf(item);
		await checkInstance(item, externalId);
		const { dateScheduled, timezone } = sent;
		const isPast = (serviceTime(dateScheduled, timezone) ?? Infinity) < Date.now();
		const wanted = { planId, title, ...sent, mark: markOf(externalId, dateScheduled), isPast };
		let before: readonly Event[] = [];
		let own: Event[] = [];
		const find = (all: readonly Event[]) => {
			checkNamed(all, EVENTS, title);
			before = all;
			own = all.filter(({ mark }) => mark?.entry === wanted.mark.entry);
			return currentEvent(all, own, wanted);
		};
		if (isPast && !find(await eventLists.all(context, planId)))
			return { sent, change: 'none', skipped: true };
		const changes: { renamed?: Event; replaced?: Previous } = {};
		const create = async () => {
			checkReplaceable(own);
			return await createMarked(item, wanted, before);
		};
		const { item: event, isNew } = await eventLists.findOrCreate(
			context,
			planId,
			[externalId],
			find,
			create,
			async (found) => {
				if (!found.isNew) changes.renamed = await renamed(item, wanted, found.item);
				const isOther = (other: Event) => other !== found.item && other.mark?.date !== wanted.mark.date;
				changes.replaced = await deleteReplaced(item, planId, own.filter(isOther));
			},
		);
		const current = changes.renamed ?? event;
		const externalIdKept = current.mark !== undefined;
		if (!externalIdKept) {
			const lost = `Event ${quoted(title)} has no External ID in its title, because somebody made it by hand or the service drops it. Once its entry is moved, this event stays, and another one is created.`;
			addHint(context, lost, 'warning');
		}
		const previous = changes.replaced ?? (changes.renamed && previousOf(event, false));
		const change = isNew ? 'created' : changes.renamed ? 'renamed' : 'none';
		return {
			...current.record,
			sent,
			change: changes.replaced ? 'moved' : change,
			externalIdKept,
			skipped: false,
			...(previous ? { previous } : {}),
		};
	},
};

/** Scheduled Date as it is sent, and its zone. */
function dateOf(item: Item): { dateScheduled: string; timezone: string } {
	const timezone = item.read(zoneOption);
	const date = item.read(dateField);
	return { dateScheduled: toDateTimeText(dateField.displayName, date, timezone), timezone };
}

/** An External ID is one of a plan, and each item may have an account of its own. */
const keyOf = async (item: Item, externalId: string) =>
	JSON.stringify([await applicationOf(item.context), await planIdOf(item), externalId]);

/** The dates of each External ID in a run, by {@link keyOf}. They come from the input, so that they are the same in each try. */
const datesOfRun = perRun(async (run: Item['run']) => {
	const dates = new Map<string, Set<string>>();
	for (const itemIndex of run.getInputData().keys()) {
		const other = new Item(run, itemIndex);
		try {
			other.context = await contextOfItem(run, itemIndex);
			const key = await keyOf(other, other.read(externalIdField));
			dates.set(key, (dates.get(key) ?? new Set()).add(dateOf(other).dateScheduled));
		} catch {
			// That item has an error of its own.
		}
	}
	return dates;
});

/** @throws InvalidParameterError when another item of the run has the External ID and another date: all instances of a series do */
async function checkInstance(item: Item, externalId: string): Promise<void> {
	const dates = (await datesOfRun(item.run)).get(await keyOf(item, externalId));
	if (!dates || dates.size < 2) return;
	throw new InvalidParameterError(
		`External ID ${quoted(externalId)} has another date in another item: ${[...dates].sort().slice(0, 3).join(', ')}`,
		'Use the ID of the instance, not of the series: of Google Calendar the field id, not iCalUID.',
	);
}

/**
 * The event of an entry: the one that is marked for the date, else the one that is live, which keeps its date. Else, for a date to come, one
 * without a mark that waits under this title and date: somebody made it by hand, or the service drops marks.
 */
function currentEvent(all: readonly Event[], own: readonly Event[], wanted: Wanted): Event | undefined {
	const rank = (event: Event) => STAGES.indexOf(stageOf(event));
	const sorted = own.toSorted(
		(one, other) => rank(one) - rank(other) || (one.id ?? Infinity) - (other.id ?? Infinity),
	);
	const marked =
		sorted.find(({ mark }) => mark?.date === wanted.mark.date) ??
		sorted.find((event) => stageOf(event) === 'live');
	if (marked || wanted.isPast) return marked;
	return all.find((event) => !event.mark && stageOf(event) === 'waiting' && isAsWanted(event, wanted));
}

/** @throws OperationError when an event of the entry could not be deleted after another one was created */
function checkReplaceable(own: readonly Event[]): void {
	for (const event of own) {
		const { hash = '', id, status } = event;
		if (hasKnownStatus(event) && id !== undefined) continue;
		const problem = id === undefined ? 'no numeric ID' : `the status ${quoted(status ?? '')}`;
		throw new OperationError(
			`The event ${quoted(hash)} of this External ID has ${problem}, so it cannot be moved`,
			'Delete it in the customer hub, and run this again.',
		);
	}
}

/** An event before its change. */
type Previous = ReturnType<typeof previousOf>;

function previousOf({ hash, title, dateScheduled }: Event, deleted: boolean) {
	return { hash, title, dateScheduled, deleted };
}

/**
 * Deletes the event that another one has replaced, if it is still waiting.
 *
 * @param others of the entry for another date
 * @throws OperationError when several wait: somebody may have copied a title
 */
async function deleteReplaced(
	item: Item,
	planId: string,
	others: readonly Event[],
): Promise<Previous | undefined> {
	const waiting: Event[] = [];
	// The list may be minutes old.
	for (const other of others.filter((event) => stageOf(event) === 'waiting'))
		if (await isWaiting(item.context, planId, other.hash ?? '')) waiting.push(other);
	const [old] = waiting;
	if (!old) return undefined;
	if (waiting.length === 1) {
		await deleteKnown(item, planId, old);
		return previousOf(old, true);
	}
	const listed = waiting.map(({ hash, dateScheduled }) => `${hash} (${dateScheduled})`).join(', ');
	throw new OperationError(
		`${waiting.length} events of this External ID wait for another date: ${excerpt(listed)}`,
		'Delete those that are not needed, By Hash. Their titles may have been copied with the External ID.',
	);
}
