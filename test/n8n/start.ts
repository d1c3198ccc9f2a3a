import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

import { startService, type RunningService } from '../fakeService';
import { listenForControl } from '../fakeService/controlServer';
import { exampleWorkflowNames, importExampleWorkflow, uploadAndSchedule } from './exampleWorkflows';
import { owner, requirePort, startN8n } from './instance';
import { installN8n } from './installN8n';
import { packPackage } from './package';
import { SetupError, type Report } from './progress';
import { n8n2 } from './releases';
import { rebuildOnChange, reloadEnvironment } from './reload';
import { writeSampleVideo } from './sampleVideo';

const report: Report = (line) => console.log(line);

/** What was started or written so far, newest last. n8n ends with this process in any case; this lets it end in order. */
const started: Array<() => Promise<void> | void> = [];

async function main(): Promise<void> {
	const { dev, port: givenPort } = optionsIn(process.argv.slice(2));
	const port = parsePort(givenPort);
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.once(signal, () => {
			report('\nEnding what was started …');
			void end(0);
		});
	}
	await requirePort(port);
	const [tarball] = await Promise.all([packPackage(report), installN8n(n8n2, report)]);
	started.push(() => rmSync(dirname(tarball), { recursive: true, force: true }));
	const service = await startService();
	started.push(async () => await service.close());
	const [event] = service.seedEvents(3);
	service.seedFolders(2);
	const control = await listenForControl(service);
	started.push(control.close);
	const userFolder = mkdtempSync(join(tmpdir(), 'n8n-nodes-video-hosting-run-'));
	started.push(() => rmSync(userFolder, { recursive: true, force: true }));
	const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
	const env = { GENERIC_TIMEZONE: timezone, ...(dev && reloadEnvironment) };
	const n8n = await startN8n({ release: n8n2, packageTarball: tarball, userFolder, port, env, report });
	started.push(async () => await n8n.stop());

	writeSampleVideo(join(n8n.filesFolder, 'my-video.avi'));
	const credential = await n8n.rest.createCredential(
		'videoHostingApi',
		'Video Hosting (fake service)',
		service.credential,
	);
	const example = await importExampleWorkflow(n8n, uploadAndSchedule, credential, timezone);
	const others = exampleWorkflowNames().filter((name) => name !== uploadAndSchedule);
	for (const name of others) await importExampleWorkflow(n8n, name, credential, timezone);

	const { baseUrl, email, password, applicationId, planId } = service.credential;
	report(`
n8n ${n8n2.version} is running in the time zone ${timezone}, with the package installed and a fake video hosting service.

  Open      ${n8n.url}/workflow/${example.id}
  Sign in   ${owner.email}
  Password  ${owner.password}

Click "Execute workflow": it uploads a video of 6 MB and schedules a live event. The other ${others.length} examples, which need accounts
elsewhere too, are under ${n8n.url}/home/workflows.

To watch the Video Hosting Trigger, publish a workflow that begins with it (credential "${credential.name}"), then take an
event live in another terminal; the trigger notices at its next poll:

  curl -X POST -d '{"hash":"${event?.hash}","status":"LIVE"}' ${control.url}/event-status

To create a credential for the fake service yourself:

  Base URL        ${baseUrl}
  Email           ${email}
  Password        ${password}
  Application ID  ${applicationId}
  Plan ID         ${planId}

What reaches the service is shown below, with the reason when it is rejected. "searchAll → 400" is normal: the service does not
document whether its pages count from 0 or from 1, so the trigger asks for page 0 as well. n8n's log is ${n8n.logFile}.
Ctrl-C ends everything.
`);
	if (dev) {
		const logFile = join(userFolder, 'gulp.log');
		started.push(await rebuildOnChange(n8n, logFile, report));
		report(`Watching nodes/ and credentials/; gulp's log is ${logFile}.`);
	}
	await reportRequests(service);
}

function parsePort(given: string): number {
	const port = Number(given);
	if (!Number.isInteger(port) || port < 1 || port > 65_535) {
		throw new SetupError(`--port must be a number from 1 to 65535, not "${given}".`);
	}
	return port;
}

function optionsIn(args: string[]): { dev: boolean; port: string } {
	try {
		return parseArgs({
			args,
			options: { dev: { type: 'boolean', default: false }, port: { type: 'string', default: '5678' } },
		}).values;
	} catch (error) {
		throw new SetupError(
			`${error instanceof Error ? error.message : String(error)}\nUsage: npm start -- [--port 5678]`,
		);
	}
}

async function end(exitCode: number): Promise<never> {
	for (const undo of started.reverse()) await undo();
	process.exit(exitCode);
}

/** Never returns: prints each request after its response. */
async function reportRequests(service: RunningService): Promise<never> {
	for (let shown = 0; ; shown++) {
		await service.until(() => service.requests[shown]?.status !== undefined);
		const request = service.requests[shown];
		if (!request) continue;
		const reason = request.reason === undefined ? '' : ` (${request.reason})`;
		report(`  ${request.method} ${request.path} → ${request.status}${reason}`);
		const upload = service.state.uploads.find(
			({ id }) => request.method === 'PATCH' && id === request.uploadId,
		);
		if (upload?.complete)
			report(`      ${upload.filename} is complete: ${upload.size} bytes, SHA-256 ${upload.sha256}`);
	}
}

main().catch(async (error: unknown) => {
	console.error(error instanceof SetupError ? `\n${error.message}` : error);
	await end(1);
});
