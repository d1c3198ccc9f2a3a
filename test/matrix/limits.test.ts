import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import type { RunningService } from '../fakeService';
import { calendarEntry, syncCalendar, type CalendarEntry } from '../n8n/calendar';
import type { RunningN8n } from '../n8n/instance';
import { n8n2 } from '../n8n/releases';
import { errorOf, type StoredCredential, type WorkflowJson } from '../n8n/rest';
import { httpRequest, manualTrigger, upload, videoHosting, workflowOf } from '../n8n/workflow';
import { startFileServer } from '../sources/fileServer';
import { credentialFor, inEachRelease, startTimeout, tls } from '../n8n/place';

function countFolders(credential: StoredCredential): WorkflowJson {
	const count = videoHosting('Count Folders', credential, { resource: 'folder', operation: 'count' });
	return workflowOf('Count folders', [manualTrigger(), count]);
}

/** What hosts forbid: unknown certificates, internal addresses, environment variables; and a credential that is edited. */
inEachRelease((place) => {
	let service: RunningService;
	let n8n: RunningN8n;
	const errorOfRun = async (workflow: WorkflowJson) => errorOf(await n8n.rest.runToEnd(workflow));

	beforeAll(async () => {
		service = await place.service();
		n8n = await place.n8n({
			N8N_BLOCK_ENV_ACCESS_IN_NODE: 'true',
			N8N_SSRF_PROTECTION_ENABLED: 'true',
			N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.1/32',
		});
	}, startTimeout);

	it('explains a certificate that n8n does not know, and sends nothing', async () => {
		const secure = await place.service({ tls });
		const explained = /TLS certificate that n8n does not trust[^]*NODE_EXTRA_CA_CERTS/;
		const credential = await credentialFor(n8n, secure);
		const tested = await n8n.rest.testCredential(credential, secure.credential);
		expect(tested).toEqual({ status: 'Error', message: expect.stringMatching(explained) });
		expect(await errorOfRun(countFolders(credential))).toMatch(explained);
		expect(secure.requests).toEqual([]);
	});

	// n8n 1.x has no guard against requests to internal addresses.
	if (place.release === n8n2)
		it('says what to do about an internal address that n8n blocks, and creates no upload for it', async () => {
			const blocked = /blocked because it resolves to a restricted IP address/;
			const internal = await place.service({ host: '127.0.0.2' });
			const error = await errorOfRun(countFolders(await credentialFor(n8n, internal)));
			expect(error).toMatch(blocked);
			expect(error).toMatch(/ask your n8n administrator to allowlist/);
			const source = { source: 'url', url: `${internal.baseUrl}/video.mp4` };
			const node = upload(await credentialFor(n8n, service), source);
			expect(await errorOfRun(workflowOf('Blocked URL', [manualTrigger(), node]))).toMatch(blocked);
			expect(internal.requests).toEqual([]);
			expect(service.state.uploads).toEqual([]);
		});

	it('keeps one event for each entry of a calendar, whatever is moved or renamed', async () => {
		const calendar = await place.service();
		const credential = await credentialFor(n8n, calendar);
		const sync = async (...entries: CalendarEntry[]) => await syncCalendar(n8n, credential, entries);
		const b = calendarEntry('b', 2, '🎬');
		expect(await sync(calendarEntry('a', 1), b)).toEqual(['created', 'created']);
		expect(await sync(calendarEntry('a', 3), b)).toEqual(['moved', 'none']);
		expect(await sync(calendarEntry('a', 3, 'Gala'), b)).toEqual(['renamed', 'none']);
		expect(calendar.state.events.map(({ dateScheduled }) => dateScheduled)).toEqual([
			'2031-01-02 18:00:00',
			'2031-01-03 18:00:00',
		]);
	}, 120_000);

	it('creates no upload of a file that its server compresses, and leaves no connection to it open', async () => {
		const content = gzipSync(Buffer.alloc(50_000_000));
		const files = await startFileServer(content);
		place.endLater(files.close);
		const headers = { 'Content-Encoding': 'gzip' };
		const node = upload(await credentialFor(n8n, service), { source: 'url', url: files.url });
		for (const ranges of [true, false]) {
			Object.assign(files, { headers, ranges });
			const error = await errorOfRun(workflowOf('Compressed', [manualTrigger(), node]));
			expect(error).toMatch(/ is sent compressed by its server/);
		}
		expect(service.state.uploads).toEqual([]);
		for (let waited = 0; waited < 5_000 && (await files.connections()) > 0; waited += 50) await sleep(50);
		expect(await files.connections()).toBe(0);
	});

	it('after another Base URL is saved, node, HTTP Request node and the test of the credential send the old token nowhere', async () => {
		const credential = await credentialFor(n8n, service);
		await n8n.rest.runToSuccess(countFolders(credential));
		const known = service.requests.at(-1)?.headers.authorization;
		expect(known).toMatch(/^Bearer \S+$/);
		service.requests.length = 0;

		// The same email and password have an account there, too.
		const other = await place.service();
		const { baseUrl } = other;
		expect(await n8n.rest.editCredential(credential, { baseUrl })).toMatchObject({ status: 'OK' });
		await n8n.rest.runToSuccess(countFolders(credential));
		// Of the version that n8n 1.x has.
		const request = httpRequest('HTTP Request', credential, { url: `${baseUrl}/v1/folders/total` }, 4.2);
		await n8n.rest.runToSuccess(workflowOf('HTTP Request', [manualTrigger(), request]));

		expect(service.requests).toEqual([]);
		expect(other.requests.map(({ headers }) => headers.authorization)).not.toContain(known);
	});
});
