import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { name as packageName } from '../package.json';
import {
	startService,
	type RecordedRequest,
	type RunningService,
	type ServiceState,
} from '../test/fakeService';
import { writeTestFile } from '../test/n8n/files';
import { owner, startN8n, type RunningN8n } from '../test/n8n/instance';
import { installN8n } from '../test/n8n/installN8n';
import { packPackage } from '../test/n8n/package';
import { startProgram } from '../test/n8n/processes';
import { fail, step } from '../test/n8n/progress';
import { n8n2 } from '../test/n8n/releases';
import type { StoredCredential } from '../test/n8n/rest';
import { importTemplate, template, templateNames, uploadAndSchedule } from '../test/n8n/templates';
import { repository } from '../test/pages';
import { playground, type playgroundOptions } from './playgroundOptions';

type Options = Awaited<ReturnType<typeof playgroundOptions>>;

const userFolder = join(playground, 'n8n');
const recordsFile = join(playground, 'records.json');

/** What was started so far, newest last. n8n ends with this process in any case; this lets it end in order. */
const started: Array<() => Promise<void> | void> = [];

/** Opens the playground of `npm start`, and shows what reaches the fake service until the process ends. */
export async function openPlayground(options: Options): Promise<void> {
	await open(options).catch(async (error: unknown) => {
		// Ctrl-C also ends what it was waiting for, such as the build.
		if (ending) return;
		fail(error);
		await end(1);
	});
}

async function open({ port, servicePort, dev, reset }: Options): Promise<void> {
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(signal, () => void end(0));
	}
	if (reset) rmSync(playground, { recursive: true, force: true });
	mkdirSync(playground, { recursive: true });
	const service = await startStoredService(servicePort);
	const [, { n8n: n8nProgram }] = await Promise.all([packPackage(), installN8n(n8n2)]);
	const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
	// With N8N_DEV_RELOAD n8n loads a package again when its files change, and lets the open editors know (n8n 2.41.1,
	// dist/load-nodes-and-credentials.js, setupHotReload).
	const env = { GENERIC_TIMEZONE: timezone, ...(dev && { N8N_DEV_RELOAD: 'true' }) };
	// The package uses n8n's own n8n-workflow, as where n8n has installed it. Node would find the one of this clone, in which the
	// playground is, and n8n does not recognize the errors of another copy (docs/n8n-internals.md#nodeapierror).
	const link = join(userFolder, '.n8n', 'nodes', 'node_modules', 'n8n-workflow');
	rmSync(link, { force: true });
	mkdirSync(dirname(link), { recursive: true });
	symlinkSync(join(n8nProgram, '..', '..', '..', 'n8n-workflow'), link);
	const starting = async () => await startN8n({ userFolder, port, env });
	const n8n = await step(`Starting n8n ${n8n2.version}`, starting);
	started.push(n8n.stop);
	const { first, others } = await furnish(n8n, service, timezone);

	const { baseUrl, email, password, applicationId, planId } = service.credential;
	const { events } = service.state;
	const waiting = events.find(({ status }) => status !== 'LIVE') ?? events[0];
	console.log(`
n8n ${n8n2.version} is running in the time zone ${timezone}, with the package installed and a fake video hosting service.

  Open      ${n8n.url}/workflow/${first}
  Sign in   ${owner.email}
  Password  ${owner.password}

Click "Execute workflow": it uploads a file of 6 MB and schedules a live event. The other ${others} templates, which need accounts
elsewhere too, are under ${n8n.url}/home/workflows.

To watch the Video Hosting Trigger, publish a workflow that begins with it (credential "${credentialName}"), then take an
event live in another terminal; the trigger notices at its next poll:

  curl -X POST -d '{"hash":"${waiting?.hash ?? 'hash of an event'}","status":"LIVE"}' ${baseUrl}/_control/event-status

To create a credential for the fake service yourself:

  Base URL        ${baseUrl}
  Email           ${email}
  Password        ${password}
  Application ID  ${applicationId}
  Plan ID         ${planId}

Ctrl-C ends everything and keeps it: workflows, credentials, events and videos are in ${playground}.
The next npm start continues there, with the same ports if they are free; npm start -- --reset starts over.
npm start -- --port 5680 --service-port 25680 chooses the ports of n8n and of the fake service.
n8n's log is ${n8n.logFile}. What reaches the service is shown below, with the reason when it is rejected.
`);
	if (dev) {
		const logFile = join(userFolder, 'gulp.log');
		const dist = join(userFolder, '.n8n', 'nodes', 'node_modules', packageName, 'dist');
		const gulp = await startProgram({
			command: join(repository, 'node_modules', '.bin', 'gulp'),
			args: ['watch'],
			cwd: repository,
			env: { ...process.env, VIDEO_HOSTING_DIST: dist },
			logFile,
		});
		started.push(gulp.end);
		console.log(`Watching nodes/ and credentials/; gulp's log is ${logFile}.`);
	}
	await reportRequests(service);
}

/** The fake service with the records of the last time, which are stored when it ends. */
async function startStoredService(port: number): Promise<RunningService> {
	// Else the node's question whether there is a page 0 would be rejected, which looks like a mistake.
	const service = await startService({ port, firstEventPage: 0 });
	started.push(service.close);
	if (existsSync(recordsFile)) {
		// What was stored below.
		const state = JSON.parse(readFileSync(recordsFile, 'utf8')) as ServiceState;
		// Nothing is being received by a service that has just started.
		for (const upload of state.uploads) upload.transferring = false;
		Object.assign(service.state, state);
	} else {
		service.seedEvents(3);
		service.seedFolders(2);
	}
	started.push(() => writeFileSync(recordsFile, JSON.stringify(service.state)));
	return service;
}

const credentialName = 'Video Hosting (fake service)';

/** Adds what n8n lacks: the credential, a file to upload, and the templates. Returns the ID of the first one and the number of others. */
async function furnish(n8n: RunningN8n, service: RunningService, timezone: string) {
	if (!existsSync(join(n8n.filesFolder, 'my-video.avi')))
		writeTestFile(n8n.filesFolder, 'my-video.avi', 6_000_000);
	const credentials = await n8n.rest.get<StoredCredential[]>('/credentials');
	const stored = credentials.find(({ name }) => name === credentialName);
	const credential =
		stored ?? (await n8n.rest.createCredential('videoHostingApi', credentialName, service.credential));
	// The service may have another port than the last time.
	if (stored) await n8n.rest.editCredential(stored, { baseUrl: service.baseUrl });
	// All of them, archived ones as well.
	const present = await n8n.rest.get<Array<{ id: string; name: string }>>('/workflows');
	const ids = new Map<string, string>();
	for (const file of templateNames()) {
		const there = present.find(({ name }) => name === template(file).name);
		ids.set(file, (there ?? (await importTemplate(n8n, file, credential, { timezone }))).id);
	}
	return { first: ids.get(uploadAndSchedule) ?? '', others: ids.size - 1 };
}

let ending: Promise<never> | undefined;

/** Ends everything once: after Ctrl-C (SIGINT) npm ends first, and then SIGHUP arrives. */
async function end(exitCode: number): Promise<never> {
	ending ??= (async () => {
		if (started.length > 0) console.log('\nEnding: n8n waits for running executions, 20 seconds at most …');
		for (const undo of started.splice(0).reverse()) await undo();
		process.exit(exitCode);
	})();
	return await ending;
}

/** Never returns: prints each request after its response, and equal lines in a row once. */
async function reportRequests(service: RunningService): Promise<never> {
	const reported = new Set<RecordedRequest>();
	const isNew = (request: RecordedRequest) => request.status !== undefined && !reported.has(request);
	for (let latest = ''; ;) {
		await service.until(() => service.requests.some(isNew));
		for (const request of service.requests.filter(isNew)) {
			reported.add(request);
			const lines = describe(service, request);
			if (lines !== latest) console.log(lines);
			latest = lines;
		}
	}
}

function describe({ state }: RunningService, request: RecordedRequest): string {
	const { method, path, status, reason, uploadId } = request;
	const line = `  ${method} ${path} → ${status}${reason === undefined ? '' : ` (${reason})`}`;
	const upload = state.uploads.find(({ id }) => method === 'PATCH' && id === uploadId);
	if (!upload?.complete) return line;
	return `${line}\n      ${upload.filename} is complete: ${upload.size} bytes, SHA-256 ${upload.sha256 ?? 'unknown'}`;
}
