import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { startN8n } from '../n8n/instance';
import type { N8nRelease } from '../n8n/releases';
import { startService, type RunningService } from '../service';
import type { Checklist } from './checklist';
import { requireArrived, writeTestFile } from './files';
import { startTinyproxy, type Server } from './servers';
import type { MatrixSetup } from './setup';
import { runToSuccess, type Subject } from './versions';
import * as nodes from './workflow';

const certificates = join(__dirname, '..', 'service', 'loopbackCertificate');
/** Self-signed, for localhost and 127.0.0.1. */
export const certificateFile = join(certificates, 'cert.pem');
export const tls = {
	key: readFileSync(join(certificates, 'key.pem'), 'utf8'),
	cert: readFileSync(certificateFile, 'utf8'),
};

/** An n8n that reaches the world through a proxy only, and a service whose certificate n8n was told to trust. */
export async function checkProxy(checklist: Checklist, setup: MatrixSetup): Promise<void> {
	const proxy = await startTinyproxy(setup.report);
	try {
		for (const release of setup.releases) await checkRelease(checklist, setup, release, proxy);
	} finally {
		await proxy.remove();
	}
}

async function checkRelease(
	checklist: Checklist,
	{ tarball, report }: MatrixSetup,
	release: N8nRelease,
	proxy: Server,
): Promise<void> {
	const plain = await startService();
	const secure = await startService({ tls });
	const excepted = await startService({ tls, host: 'localhost' });
	const address = `http://127.0.0.1:${proxy.port}`;
	const env = {
		HTTP_PROXY: address,
		HTTPS_PROXY: address,
		NO_PROXY: 'localhost',
		NODE_EXTRA_CA_CERTS: certificateFile,
	};
	const n8n = await startN8n({ release, packageTarball: tarball, env, report });
	try {
		const subjectOf = async (service: RunningService): Promise<Subject> => {
			const credential = await n8n.rest.createCredential(
				'videoHostingApi',
				service.baseUrl,
				service.credential,
			);
			return { n8n, service, credential };
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
	} finally {
		await n8n.remove();
		await Promise.all([plain, secure, excepted].map(async (service) => await service.close()));
	}
}

/** Uploads a file whose transfer is cut once; returns how many requests came to the service for it. */
async function uploadsThroughCut({ n8n, service, credential }: Subject): Promise<number> {
	const name = `${service.baseUrl.replace(/\W+/g, '-')}.mp4`;
	const file = writeTestFile(n8n.filesFolder, name, 6_000_000);
	service.order({ on: 'uploadPatch', kind: 'reset', afterBytes: 2_000_000 });
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
