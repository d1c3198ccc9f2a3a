import { strict as assert } from 'node:assert';

import { errorOf } from '../n8n/execution';
import { startN8n } from '../n8n/instance';
import type { N8nRelease } from '../n8n/releases';
import { startService, type RunningService } from '../fakeService';
import { certificateFile, tls } from './certificate';
import type { Checklist } from './checklist';
import { requireArrived, writeTestFile } from './files';
import { HeldMemoryWatch } from './heldMemory';
import { uploadsLargeFile } from './largeUpload';
import { startTinyproxy, type Server } from './servers';
import type { MatrixSetup } from './setup';
import { credentialFor, messageOf, runToEnd, runToSuccess, type Subject } from './subject';
import * as nodes from './workflow';

/** An n8n that reaches other hosts only through a proxy, and a service whose certificate n8n is configured to trust. */
export async function checkProxy(checklist: Checklist, setup: MatrixSetup): Promise<void> {
	for (const release of setup.releases) await checkRelease(checklist, setup, release);
}

async function checkRelease(
	checklist: Checklist,
	{ tarball, report }: MatrixSetup,
	release: N8nRelease,
): Promise<void> {
	const plain = await startService();
	const secure = await startService({ tls });
	const refused = await startService({ tls });
	const excepted = await startService({ tls, host: 'localhost' });
	const proxy = await startTinyproxy(report, [Number(new URL(secure.baseUrl).port)]);
	const address = `http://127.0.0.1:${proxy.port}`;
	const memory = new HeldMemoryWatch();
	const env = {
		...memory.env,
		HTTP_PROXY: address,
		HTTPS_PROXY: address,
		NO_PROXY: 'localhost',
		NODE_EXTRA_CA_CERTS: certificateFile,
	};
	const n8n = await startN8n({ release, packageTarball: tarball, env, report });
	try {
		const subjectOf = async (service: RunningService): Promise<Subject> => {
			return { n8n, service, credential: await credentialFor(n8n, service) };
		};
		await checklist.row('HTTP_PROXY', release.version, async () => {
			const requests = await uploadsThroughCut(await subjectOf(plain));
			const proxied = plain.requests.filter(({ headers }) => headers.via?.includes('tinyproxy'));
			assert.equal(proxied.length, requests, 'Requests that came through the proxy');
			return `${requests} requests, all through the proxy; upload with a cut identical`;
		});
		await checklist.row('HTTPS_PROXY, NODE_EXTRA_CA_CERTS', release.version, async () => {
			const requests = await uploadsThroughCut(await subjectOf(secure));
			const tunnels = tunnelsTo(secure, proxy);
			assert.equal(tunnels, requests, 'Requests that came through the proxy');
			return `${requests} requests, all in tunnels of the proxy; upload with a cut identical`;
		});
		await checklist.row('NO_PROXY, NODE_EXTRA_CA_CERTS', release.version, async () => {
			const requests = await uploadsThroughCut(await subjectOf(excepted));
			assert.equal(tunnelsTo(excepted, proxy), 0, 'Requests that came through the proxy');
			return `${requests} requests, none through the proxy; upload with a cut identical`;
		});
		const largeUploads: Array<[string, RunningService, number]> = [
			['HTTP_PROXY', plain, 2],
			['HTTPS_PROXY', secure, 2],
			['NO_PROXY, TLS', excepted, 1],
		];
		for (const [place, service, connections] of largeUploads) {
			await checklist.row(`${place}: large upload, stalled once`, release.version, async () =>
				uploadsLargeFile(await subjectOf(service), connections, memory),
			);
		}
		await checklist.row('proxy that rejects requests', release.version, async () => {
			const { credential } = await subjectOf(refused);
			const execution = await runToEnd(n8n, nodes.countFolders(credential));
			// Whether n8n's HTTP client passes on the proxy's web page depends on how it arrives: it may come as an empty 403.
			assert.match(errorOf(execution), /proxy|403 without a message/i);
			assert.equal(refused.requests.length, 0, 'Requests past the proxy');
			return `"${messageOf(execution)}"`;
		});
	} finally {
		await n8n.remove();
		memory.remove();
		await proxy.remove();
		await Promise.all([plain, secure, refused, excepted].map(async (service) => await service.close()));
	}
}

/** Uploads a file whose transfer is cut once; returns how many requests came to the service for it. */
async function uploadsThroughCut({ n8n, service, credential }: Subject): Promise<number> {
	const name = `${service.baseUrl.replace(/\W+/g, '-')}.mp4`;
	const file = writeTestFile(n8n.filesFolder, name, 40_000_000);
	service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 22_000_000 });
	await runToSuccess(
		n8n,
		nodes.workflowOf(name, [nodes.manualTrigger(), nodes.readFiles(file.path), nodes.upload(credential)]),
	);
	requireArrived(service.state.uploads, file);
	return service.requests.length;
}

function tunnelsTo({ baseUrl }: RunningService, proxy: Server): number {
	const { host } = new URL(baseUrl);
	return proxy.log().split(`CONNECT ${host} `).length - 1;
}
