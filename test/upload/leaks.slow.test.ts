import { randomBytes } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { CredentialStore } from '../execution/credentialStore';
import { executeContext } from '../execution/executeNode';
import { fc } from '../execution/generated';
import type { Fault, RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { authorizationOf, signedIn } from '../fakeService/axiosClient';
import { startFileServer, type FileServer } from '../sources/fileServer';
import { shortenPauses } from './uploading';

shortenPauses();

const SIGNATURE = 'very-secret';
const PASSWORD = 'url-password';

let service: RunningService;
let files: FileServer;
serviceForEachTest(async (started) => {
	service = started;
	files = await startFileServer(randomBytes(50_000));
});
afterEach(async () => {
	await files.close();
});

/** Uploads from a signed address, and collects all texts that leave the node, in errors at any depth. */
async function run(
	credentialStore: CredentialStore,
	url: string,
): Promise<{ hasFailed: boolean; texts: string }> {
	const staticData: IDataObject = {};
	const { context, nodeType, consoleMessages } = await executeContext({
		...{ service, credentialStore, staticData, mode: 'trigger' },
		parameters: {
			...{ resource: 'upload', operation: 'upload', source: 'url', url },
			options: { returnVideo: false, maxWaitMinutes: 0.001, idleTimeoutSeconds: 5 },
		},
	});
	const logged: unknown[] = [];
	// n8n-core's logger is read-only; what the node logs goes through this property of its context.
	const log = (...said: unknown[]) => logged.push(said);
	Object.defineProperty(context, 'logger', { value: { debug: log, info: log, warn: log, error: log } });
	const outcome = await nodeType.execute.call(context).catch((error: unknown) => error);
	const texts = deepText([outcome, context.hints, consoleMessages, staticData, logged]);
	return { hasFailed: outcome instanceof Error, texts };
}

/** Every text in a value, also in fields that JSON leaves out, such as `message`, `stack` and `cause`. */
function deepText(value: unknown, seen = new Set<unknown>()): string {
	if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return String(value);
	if (seen.has(value)) return '';
	seen.add(value);
	// Any own property of an object may be read.
	const owner = value as Record<string, unknown>;
	return (
		Object.getOwnPropertyNames(value)
			// An error refers to the node's definition, which has the URL as the user entered it.
			.filter((name) => name !== 'node')
			.map((name) => `${name}: ${deepText(owner[name], seen)}`)
			.join('\n')
	);
}

const operation = fc.constantFrom('uploadCreate', 'uploadPatch', 'uploadHead', 'authenticate');
const serviceFault: fc.Arbitrary<(token: string) => Fault> = fc
	.record({
		on: operation,
		// A service that rejects a token gets a new one, and does not know the old one any more.
		status: fc.constantFrom(301, 400, 404, 409, 413, 429, 500, 503),
		times: fc.constantFrom(1, 2, 1000),
		echo: fc.constantFrom('Bearer', 'json', 'page'),
		afterBytes: fc.nat({ max: 40_000 }),
	})
	.map(({ on, status, times, echo, afterBytes }) => (token) => {
		const said = `Token ${token} is not accepted`;
		const body = { Bearer: said, json: JSON.stringify({ error: said }), page: `<html>${said}</html>` }[echo];
		const headers = { 'Retry-After': '3600', location: `https://elsewhere.invalid/?token=${token}` };
		return {
			on,
			kind: 'status',
			status,
			times,
			body,
			headers,
			...(on === 'uploadPatch' ? { afterBytes } : {}),
		};
	});

const fileFault = fc.record({
	statuses: fc.array(fc.constantFrom(200, 302, 403, 404, 500, 503), { maxLength: 4 }),
	breaksOffAfter: fc.array(fc.nat({ max: 49_000 }), { maxLength: 12 }),
	gzip: fc.constantFrom('never' as const, 'always' as const),
	ranges: fc.boolean(),
	etag: fc.constantFrom('"v1"', undefined),
	location: fc.constantFrom(
		'',
		'/moved?signature=very-secret',
		`http://x:${PASSWORD}@127.0.0.1:1/?s=${SIGNATURE}`,
	),
});

it('neither token nor password nor signature leaves the node in an error, hint, log or static data', async () => {
	let failed = 0;
	await fc.assert(
		fc.asyncProperty(
			fc.array(serviceFault, { maxLength: 3 }),
			fileFault,
			fc.constantFrom('ok', 'refused', 'unresolvable', 'not a URL'),
			async (faults, { location, ...file }, address) => {
				service.state.uploads = [];
				service.clearFaults();
				Object.assign(files, file, { headers: location === '' ? {} : { Location: location } });
				const accessToken = authorizationOf(await signedIn(service)).replace('Bearer ', '');
				const credentialStore = new CredentialStore({ ...service.credential, accessToken });
				for (const fault of faults) service.injectFault(fault(accessToken));
				const query = `?signature=${SIGNATURE}`;
				const url = {
					ok: files.url.replace('http://', `http://me:${PASSWORD}@`),
					refused: `http://me:${PASSWORD}@127.0.0.1:1/a.mp4${query}`,
					unresolvable: `http://me:${PASSWORD}@files.invalid/a.mp4${query}`,
					'not a URL': `http://me:${PASSWORD}@[/a.mp4${query}`,
				}[address];
				const { hasFailed, texts } = await run(credentialStore, url);
				if (hasFailed) failed++;
				const secrets = [SIGNATURE, PASSWORD, accessToken, service.credential.password];
				for (const secret of secrets) expect(texts).not.toContain(secret);
			},
		),
		{ numRuns: 60 },
	);
	expect(failed).toBeGreaterThan(10);
}, 120_000);
