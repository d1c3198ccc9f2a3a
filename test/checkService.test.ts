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
	const { report, ...found } = await checked.finally(service.close);
	expect(records()).toEqual(before);
	const values = [...service.secrets, ...before.flatMap((record) => Object.values(record).map(String))];
	const shown = JSON.stringify(report);
	expect(values.filter((value) => value.length > 7 && shown.includes(value))).toEqual([]);
	const rows = report.rows.map(({ request, result, notes }) => [request, [result, ...notes].join(', ')]);
	const differing = report.assumptions.filter(({ state }) => state === 'the file differs');
	const seen = differing.map(({ name, seen }) => [name, seen.join()]);
	const worth = Object.fromEntries([...rows.filter(([, text]) => text !== 'works'), ...seen]);
	return { ...found, rows, worth };
}

const MOVE = 'PUT /v1/videos/moveVideo/{video_hash}';
const VIDEO_NAMES = 'works, names: video_hash, video_name, created_at, gallery_uuid';
const late = { folderAppearsAfterMs: 300, videoAppearsAfterMs: 300, titles: 'stripped' } as const;

it.each<[string, Case, object]>([
	['as usual', {}, {}],
	[
		'with snake names and wrappers',
		{
			settings: { recordNames: 'snake_case', listShape: 'data.items', singleShape: 'data' },
			// A folder may be the name of a field, too.
			fault: { on: 'diskUsageByApplication', kind: 'status', status: 200, body: { Concerts: 1, used: 2 } },
		},
		{ 'GET /v1/videos/application': VIDEO_NAMES, [MOVE]: VIDEO_NAMES },
	],
	[
		'with pages from 0 and a cap of 10',
		{ settings: { firstEventPage: 0, pageSizeCap: 10 } },
		{ 'GET /v1/events/searchAll': 'works, at most 10 a page, pages count from 0', 'events.quantity': '10' },
	],
	[
		'with a late list',
		{ settings: late },
		{
			'GET /v1/folders': expect.stringMatching(/^works, a new folder was listed after \d.* s$/),
			'PUT /v1/events/update': 'works, titles lose invisible characters',
		},
	],
	[
		'that fails in one row',
		{ fault: { on: 'videoMove', kind: 'status', status: 500, times: 9 } },
		{ [MOVE]: 'fails' },
	],
])('A service %s', async (_what, given, expected) => {
	const { error, isFine, rows, worth } = await run(given);
	expect(worth).toMatchObject(expected);
	expect([error, isFine, rows.length]).toEqual([undefined, worth[MOVE] !== 'fails', 24]);
	if (Object.keys(expected).length === 0) expect(worth).toEqual({});
});

it.each(['event/create', 'upload/resume'])('Ctrl-C during %s deletes what was made', async (stopAt) => {
	const { worth } = await run({ stopAt });
	expect(worth).toMatchObject({ [MOVE]: 'not checked' });
});

it('A wrong password, plan or host is one sentence', async () => {
	const ends = (account: Case['account']) => expect(run({ account })).rejects;
	await ends({ password: 'wrong' }).toThrow(/^Signing .+ failed \(401\): [^.]+\.$/);
	await ends({ planId: 'wrong' }).toThrow(/^The service rejects .+ \(404\): Plan not found\.$/);
	const baseUrl = `http://127.0.0.1:${await freePort()}`;
	await ends({ baseUrl }).toThrow(/^The service at .+ cannot be reached \(ECONNREFUSED\)\.$/);
});
