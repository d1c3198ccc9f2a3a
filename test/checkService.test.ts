import { checkService } from '../scripts/checkService/checkService';
import { startService, type Fault, type RunningService, type ServiceSettings } from './fakeService';
import { freePort } from './n8n/ports';

interface Case {
	settings?: Partial<ServiceSettings>;
	fault?: Fault;
	/** The operation at which Ctrl-C is typed. */
	stopAt?: string;
	/** Of the credential, where it is not that of the service. */
	account?: Partial<RunningService['credential']>;
}

/** Runs the whole command, which keeps what the service had, and shows no value of it in the report. */
async function run({ settings, fault, stopAt, account }: Case) {
	const service = await startService(settings);
	const { state } = service;
	service.seedEvents(25);
	service.seedFolders([{ name: 'Concerts' }]);
	service.seedVideos(Array.from({ length: 25 }, (_, day) => ({ createdDate: `2030-01-${day + 10}` })));
	if (fault) service.injectFault(fault);
	const unfinished = () => state.uploads.filter(({ complete }) => !complete);
	const records = () => [state.events, state.folders, state.videos, unfinished()].flat();
	const before = structuredClone(records());
	const ending = new AbortController();
	const progress = (step: string) => void (step === stopAt && ending.abort());
	const setup = { write: true, live: true, progress, signal: ending.signal };
	const checked = checkService({ account: { ...service.credential, ...account }, ...setup });
	const { report, isFine, error } = await checked.finally(service.close);
	expect([error, report.rows.length]).toEqual([stopAt && ending.signal.reason, 24]);
	expect(records()).toEqual(before);
	const values = [...service.secrets, ...before.flatMap((record) => Object.values(record).map(String))];
	const shown = JSON.stringify(report);
	expect(values.filter((value) => value.length > 7 && shown.includes(value))).toEqual([]);
	const rows = report.rows.map(({ request, result, notes }) => [request, [result, ...notes].join(', ')]);
	const differing = report.assumptions.filter(({ state }) => state === 'the file differs');
	const seen = differing.map(({ name, seen }) => [name, seen.join()]);
	return { isFine, worth: Object.fromEntries([...rows.filter(([, text]) => text !== 'works'), ...seen]) };
}

const MOVE = 'PUT /v1/videos/moveVideo/{video_hash}';

it('A service as usual works', async () => {
	expect(await run({})).toEqual({ isFine: true, worth: {} });
});

it('Snake names and wrappers are shown, but not a folder that is the name of a field', async () => {
	const settings = { recordNames: 'snake_case', listShape: 'data.items', singleShape: 'data' } as const;
	const body = { Concerts: 1, used: 2 };
	const fault = { on: 'diskUsageByApplication', kind: 'status', status: 200, body } as const;
	const names = 'works, names: video_hash, video_name, created_at, gallery_uuid';
	const worth = { 'GET /v1/videos/application': names, [MOVE]: names };
	expect(await run({ settings, fault })).toMatchObject({ isFine: true, worth });
});

it('Pages from 0 and a cap of 10 are noticed', async () => {
	const events = 'works, at most 10 a page, pages count from 0';
	const worth = { 'GET /v1/events/searchAll': events, 'events.quantity': '10' };
	expect(await run({ settings: { firstEventPage: 0, pageSizeCap: 10 } })).toMatchObject({
		isFine: true,
		worth,
	});
});

it('A late list and titles without invisible characters are noticed', async () => {
	const settings = { folderAppearsAfterMs: 300, videoAppearsAfterMs: 300, titles: 'stripped' } as const;
	const folders = expect.stringMatching(/^works, a new folder was listed after \d.* s$/);
	const events = 'works, titles lose invisible characters';
	const worth = { 'GET /v1/folders': folders, 'PUT /v1/events/update': events };
	expect(await run({ settings })).toMatchObject({ isFine: true, worth });
});

it('A row that fails is the only one, and what it may have made is deleted', async () => {
	const fault = { on: 'eventInsert', kind: 'lostResponse' } as const;
	expect(await run({ fault })).toEqual({ isFine: false, worth: { 'POST /v1/events/insert': 'fails' } });
});

it.each(['event/create', 'upload/resume'])('Ctrl-C during %s deletes what was made', async (stopAt) => {
	expect(await run({ stopAt })).toMatchObject({ worth: { [MOVE]: 'not checked' } });
});

it('A wrong password, plan or host is one sentence', async () => {
	const ends = (account: Case['account']) => expect(run({ account })).rejects;
	await ends({ password: 'wrong' }).toThrow(/^Signing .+ failed \(401\): [^.]+\.$/);
	await ends({ planId: 'wrong' }).toThrow(/^The service rejects .+ \(404\): Plan not found\.$/);
	const baseUrl = `http://127.0.0.1:${await freePort()}`;
	await ends({ baseUrl }).toThrow(/^The service at .+ cannot be reached \(ECONNREFUSED\)\.$/);
});
