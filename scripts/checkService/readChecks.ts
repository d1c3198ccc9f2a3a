import { LISTS, type RecordKind } from '../../nodes/VideoHosting/shared/assumptions';
import { errorMessage } from '../../nodes/VideoHosting/shared/text';
import { path, requestJson } from '../../nodes/VideoHosting/transport/request';
import type { ServiceRequest } from '../../nodes/VideoHosting/transport/serviceRequest';
import { credentialStoreOf, executeContext } from '../../test/execution/executeNode';
import { by } from '../../test/execution/locator';
import { activeTrigger } from '../../test/execution/pollNode';
import { SetupError } from '../../test/n8n/progress';
import type { Check } from './checkService';
import { LIST_ROWS, type Exchange } from './forwarder';
import { listOf } from './report';

/** What no account has. */
const NONE = 'n8n-check-none';
/** A page after the end of any list. */
const BEYOND = 1_000_000;

const IN_VAIN = [
	['an unknown plan', 'event/getAll', { limit: 1, options: { planId: NONE } }],
	['an unknown event', 'event/get', { event: by('hash', NONE) }],
	['an unknown upload', 'upload/getStatus', { uploadId: NONE }],
] as const;

type PageOf = (planId: string, page: number, direction: string) => Omit<ServiceRequest, 'method'>;

/** One page of each list. */
const PAGES: Record<RecordKind, PageOf> = {
	event: (planId, actualPage, orderType) => ({
		path: path('events', 'searchAll'),
		query: { planId, actualPage, quantity: 1, orderBy: 'date', orderType },
	}),
	folder: (_planId, page) => ({ path: path('folders'), query: { page } }),
	video: (planId, page, sort) => ({
		path: path('videos', 'application'),
		query: { page, orderBy: 'created_date', sort },
		headers: { 'Content-Type': 'application/json' },
		body: { payload: { planId } },
	}),
};

/**
 * Checks what changes nothing, as far as the account has records for it.
 *
 * @returns a trigger for new events; undefined when the response to the sign-in has no token
 * @throws SetupError when the service cannot be reached, or rejects the account or the plan
 */
export async function readChecks(check: Check) {
	await check.step('folder/count');
	const refused = check.results.get('authenticate')?.failure;
	if (refused?.status === 200) return undefined;
	if (refused) throw new SetupError(refused.text.replace(/ Check Base URL.*/, ''));
	const credentialStore = credentialStoreOf(check.connection);
	credentialStore.token = NONE;
	const { exchanges } = await check.attempt(check.run('folder/count', {}, { credentialStore }));
	const rejected = exchanges[0]?.status;
	if (rejected !== 401) check.note('authenticate', `a wrong token is answered with ${rejected}`);

	const event = await list(check, 'event');
	for (const [what, operation, parameters] of IN_VAIN) {
		const { error, last } = await check.attempt(check.run(operation, parameters));
		if (!last) continue;
		const { row, status } = last;
		const { failure } = check.note(row);
		if (what === 'an unknown plan' && failure?.text === errorMessage(error))
			throw new SetupError(`The service rejects the plan of --plan (${status}): ${failure.text}`);
		if (![400, 404, 410, 422].includes(status)) check.note(row, `${what} is answered with ${status}`);
	}
	const folder = await list(check, 'folder');
	const video = await list(check, 'video');
	if (event) await check.step('event/get', { event: by('hash', String(event.hash)) });
	if (video) {
		await check.step('video/get', { video: by('hash', String(video.hash)) });
		const found = await check.step('video/search', { name: String(video.name) });
		if (found?.length === 0) check.note('videoSearch', 'the exact name is not found');
	}
	await check.step('diskUsage/getApplication');
	if (folder) await check.step('diskUsage/getFolder', { folder: by('uuid', String(folder.uuid)) });
	const trigger = await activeTrigger({ ...check.connection, parameters: { triggerOn: 'eventCreated' } });
	await check.watch(trigger.poll());
	if ((await check.watch(trigger.poll())) !== undefined) check.note('trigger');
	return trigger;
}

/** Reads a list with its operation, and then some of its pages one by one. Returns its first record. */
async function list(check: Check, kind: RecordKind) {
	const before = check.exchanges.length;
	const records = (await check.step(`${kind}/getAll`, { returnAll: true })) ?? [];
	if (records.length === 0) return undefined;
	const row = LIST_ROWS[kind];
	const sizes = new Map(
		check.exchanges.slice(before).map((page) => [firstOf(page), listOf(page)?.length ?? 0]),
	);
	sizes.delete(undefined);
	const most = Math.max(...sizes.values());
	if (kind === 'event' && sizes.size > 1) {
		check.seen.push(['events.quantity', String(most)]);
		if (most < LISTS.event.quantity.values[0]) check.note(row, `at most ${most} a page`);
	}
	const { context } = await executeContext({ ...check.connection, parameters: {} });
	const firstRecord = async (page: number, direction = 'ASC') => {
		const request = PAGES[kind](check.setup.account.planId, page, direction);
		const { last } = await check.attempt(requestJson(context, { method: 'GET', ...request }));
		return last && firstOf(last);
	};
	const [zero, one, two] = [await firstRecord(0), await firstRecord(1), await firstRecord(2)];
	const first = zero !== undefined && zero !== one ? 0 : 1;
	const isPaged = kind === 'event' ? records.length > 1 : sizes.size > 1;
	if (first === 0) check.note(row, 'pages count from 0');
	if (isPaged && one === two) check.note(row, 'page numbers are ignored');
	if (isPaged && (await firstRecord(BEYOND)) !== undefined)
		check.note(row, 'a page after the last one repeats records');
	if (kind !== 'folder') {
		check.seen.push([`${kind}s.firstPage`, String(first)]);
		const isSorted = (await firstRecord(first, 'DESC')) !== (first === 0 ? zero : one);
		if (records.length > 1) check.seen.push([`${kind}s.direction`, isSorted ? 'DESC' : 'DESC is ignored']);
	}
	return records[0];
}

const firstOf = (exchange: Exchange) => JSON.stringify(listOf(exchange)?.[0]) as string | undefined;
