import type { IDataObject } from 'n8n-workflow';

import { LISTS, type RecordKind } from '../../nodes/VideoHosting/shared/assumptions';
import { errorMessage } from '../../nodes/VideoHosting/shared/text';
import { requestJson } from '../../nodes/VideoHosting/transport/request';
import { listIn } from '../../nodes/VideoHosting/transport/response';
import { credentialStoreOf, executeContext } from '../../test/execution/executeNode';
import { by } from '../../test/execution/locator';
import { activeTrigger } from '../../test/execution/pollNode';
import { SetupError } from '../../test/n8n/progress';
import { startForwarder, type Exchange, type Setup } from './check';
import { findingsOf } from './report';
import { WriteChecks } from './writeChecks';

/** What no account has. */
const NONE = 'n8n-check-none';
/** A page after the end of any list. */
const BEYOND = 1_000_000;

const IN_VAIN = [
	['an unknown plan', 'event/getAll', { limit: 1, options: { planId: NONE } }],
	['an unknown event', 'event/get', { event: by('hash', NONE) }],
	['an unknown upload', 'upload/getStatus', { uploadId: NONE }],
] as const;

/** What the query for one page of a list has, other than that of its operation. */
const PAGE_QUERIES: Record<RecordKind, (page: number, direction?: string) => IDataObject> = {
	event: (actualPage, orderType) => ({ actualPage, orderType, quantity: 1 }),
	folder: (page) => ({ page }),
	video: (page, sort) => ({ page, sort, orderBy: 'created_date' }),
};

/**
 * Checks a service.
 *
 * @returns `error`: what ended it early, other than the signal
 * @throws SetupError when there is nothing to report
 */
export async function checkService(setup: Setup) {
	const { url, exchanges, close } = await startForwarder(setup.account.baseUrl);
	const service = { credential: { ...setup.account, baseUrl: url } };
	const connection = { service, credentialStore: credentialStoreOf({ service }) };
	const check = new WriteChecks(setup, exchanges, connection);
	const error: unknown = await checkAll(check).catch((thrown: unknown) => thrown);
	await close();
	if (error instanceof SetupError) throw error;
	return { ...findingsOf(check), error };
}

/**
 * Checks what changes nothing, as far as the account has records for it, and then the rest.
 *
 * @throws SetupError when the service cannot be reached, or rejects the account or the plan
 */
async function checkAll(check: WriteChecks): Promise<void> {
	await check.run('folder/count');
	const refused = check.failures.get('authenticate');
	// Without a token in the response, the report shows what the response has.
	if (refused?.status === 200) return;
	if (refused) throw new SetupError(refused.text.replace(/ Check Base URL.*/, ''));
	const credentialStore = credentialStoreOf(check.connection);
	credentialStore.token = NONE;
	const { exchanges } = await check.run('folder/count', {}, { credentialStore, mayFail: true });
	const rejected = exchanges[0]?.status;
	if (rejected !== 401) check.notes.push(['authenticate', `a wrong token is answered with ${rejected}`]);

	const event = await list(check, 'event');
	for (const [what, operation, parameters] of IN_VAIN) {
		const { error, last } = await check.run(operation, parameters, { mayFail: true });
		const { status, row } = last;
		const failure = check.failures.get(row);
		if (failure && failure.text === errorMessage(error))
			throw new SetupError(`The service rejects the plan of --plan (${status}): ${failure.text}`);
		if (![400, 404, 410, 422].includes(status)) check.notes.push([row, `${what} is answered with ${status}`]);
	}
	const folder = await list(check, 'folder');
	const video = await list(check, 'video');
	if (event) await check.run('event/get', { event: by('hash', String(event.hash)) });
	if (video) {
		await check.run('video/get', { video: by('hash', String(video.hash)) });
		await check.run('video/search', { name: String(video.name) });
	}
	await check.run('diskUsage/getApplication');
	if (folder) await check.run('diskUsage/getFolder', { folder: by('uuid', String(folder.uuid)) });
	const trigger = await activeTrigger({ ...check.connection, parameters: { triggerOn: 'eventCreated' } });
	// The first poll is that of the activation.
	await check.watch('trigger', trigger.poll);
	await check.watch('trigger', trigger.poll);
	if (check.setup.write) await check.changeAll(trigger);
}

/** Reads a list with its operation, and then some of its pages one by one. Returns its first record. */
async function list(check: WriteChecks, kind: RecordKind) {
	const { value: records = [], exchanges, last } = await check.run(`${kind}/getAll`, { returnAll: true });
	if (records.length === 0) return undefined;
	const { row, url } = last;
	const recordsOf = ({ status, body }: Exchange) => listIn(status, body, kind)?.records ?? [];
	const most = Math.max(...exchanges.map((page) => recordsOf(page).length));
	const [wanted] = LISTS.event.quantity.values;
	const isCut = kind === 'event' && most < records.length;
	if (isCut) check.seen.push({ name: 'events.quantity', what: String(most) });
	if (isCut && most < wanted) check.notes.push([row, `at most ${most} a page`]);
	const { context } = await executeContext({ ...check.connection, parameters: {} });
	const firstRecord = async (page: number, direction = 'ASC') => {
		const [path = '', query] = url.replace('/v1/', '').split('?');
		const request = {
			method: 'GET',
			path,
			query: { ...Object.fromEntries(new URLSearchParams(query)), ...PAGE_QUERIES[kind](page, direction) },
			headers: { 'Content-Type': 'application/json' },
			body: kind === 'video' ? { payload: { planId: check.setup.account.planId } } : undefined,
		} as const;
		const read = await check.watch(row, async () => await requestJson(context, request), true);
		// The declared type is a text only; JSON.stringify(undefined) is undefined.
		return JSON.stringify(recordsOf(read.last)[0]) as string | undefined;
	};
	const [zero, one, two] = [await firstRecord(0), await firstRecord(1), await firstRecord(2)];
	const beyond = await firstRecord(BEYOND);
	const first = zero !== undefined && zero !== one ? 0 : 1;
	const isPaged = records.length > (kind === 'event' ? 1 : most);
	if (first === 0) check.notes.push([row, 'pages count from 0']);
	if (isPaged && one === two) check.notes.push([row, 'page numbers are ignored']);
	if (isPaged && beyond) check.notes.push([row, 'a page after the last one repeats records']);
	// No order and no first page of folders is assumed.
	if (kind === 'folder') return records[0];
	check.seen.push({ name: `${kind}s.firstPage`, what: String(first) });
	const isSorted = (await firstRecord(first, 'DESC')) !== (first === 0 ? zero : one);
	const what = isSorted ? 'DESC' : 'DESC is ignored';
	if (records.length > 1) check.seen.push({ name: `${kind}s.direction`, what });
	return records[0];
}
