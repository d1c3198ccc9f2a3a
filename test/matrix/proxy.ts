import { strict as assert } from 'node:assert';
import type { IncomingHttpHeaders } from 'node:http';

import { errorOf } from '../n8n/execution';
import type { Report } from '../n8n/progress';
import type { RunningService } from '../fakeService';
import { certificateFile, tls } from './certificate';
import type { Checklist } from './checklist';
import { HeldMemoryWatch } from './heldMemory';
import { uploadsLargeFile } from './largeUpload';
import { startTinyproxy, type Server } from './servers';
import { inEachRelease, type MatrixSetup, type Place } from './setup';
import { credentialFor, messageOf, type Subject } from './subject';
import * as nodes from '../n8n/workflow';

/** An n8n that reaches other hosts only through a proxy, and a service whose certificate n8n is configured to trust. */
export async function checkProxy(checklist: Checklist, setup: MatrixSetup): Promise<void> {
	await inEachRelease(checklist, setup, async (place) => await checkRelease(place, setup.report));
}

async function checkRelease(place: Place, report: Report): Promise<void> {
	const plain = await place.service();
	const secure = await place.service({ tls });
	const refused = await place.service({ tls });
	const excepted = await place.service({ tls, host: 'localhost' });
	const proxy = await startTinyproxy(report, [Number(new URL(secure.baseUrl).port)]);
	place.endLater(proxy.remove);
	const address = `http://127.0.0.1:${proxy.port}`;
	const memory = new HeldMemoryWatch();
	place.endLater(() => memory.remove());
	const n8n = await place.n8n({
		...memory.env,
		HTTP_PROXY: address,
		HTTPS_PROXY: address,
		NO_PROXY: 'localhost',
		NODE_EXTRA_CA_CERTS: certificateFile,
	});
	const subjectOf = async (service: RunningService): Promise<Subject> => {
		return { n8n, service, credential: await credentialFor(n8n, service) };
	};
	const ways: Array<
		[what: string, service: RunningService, connections: number, throughProxy: () => number]
	> = [
		['HTTP_PROXY', plain, 2, () => plain.requests.filter(({ headers }) => isProxied(headers)).length],
		['HTTPS_PROXY, NODE_EXTRA_CA_CERTS', secure, 2, () => tunnelsTo(secure, proxy)],
		['NO_PROXY, NODE_EXTRA_CA_CERTS', excepted, 1, () => tunnelsTo(excepted, proxy)],
	];
	for (const [what, service, connections, throughProxy] of ways) {
		await place.row(what, async () => {
			const arrived = await uploadsLargeFile(await subjectOf(service), connections, memory);
			const { length } = service.requests;
			const expected = service === excepted ? 0 : length;
			assert.equal(throughProxy(), expected, 'Requests that came through the proxy');
			return `${expected} of ${length} requests through the proxy; ${arrived}`;
		});
	}
	await place.row('proxy that rejects requests', async () => {
		const { credential } = await subjectOf(refused);
		const execution = await n8n.rest.runToEnd(nodes.countFolders(credential));
		// Whether n8n's HTTP client passes on the proxy's web page depends on how it arrives: it may come as an empty 403.
		assert.match(errorOf(execution), /proxy|403 without a message/i);
		assert.equal(refused.requests.length, 0, 'Requests past the proxy');
		return `"${messageOf(execution)}"`;
	});
}

function isProxied({ via }: IncomingHttpHeaders): boolean {
	return via?.includes('tinyproxy') === true;
}

function tunnelsTo({ baseUrl }: RunningService, proxy: Server): number {
	const { host } = new URL(baseUrl);
	return proxy.log().split(`CONNECT ${host} `).length - 1;
}
