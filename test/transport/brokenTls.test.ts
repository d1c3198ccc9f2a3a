import { readFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import tls, { TLSSocket } from 'node:tls';

import { runWorkflow } from '../execution/runWorkflow';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));
afterEach(() => jest.restoreAllMocks());

const pem = (name: string) => readFileSync(join(__dirname, `../fakeService/loopbackCertificate/${name}.pem`));

/** A gateway with TLS in front of the service, which destroys the record of the first response to Event → Create. */
async function brokenGateway() {
	let isBroken = false;
	const server = createServer((raw) => {
		const secure = new TLSSocket(raw, { isServer: true, key: pem('key'), cert: pem('cert') });
		const upstream = connect(Number(new URL(service.credential.baseUrl).port), '127.0.0.1');
		let isCreation = false;
		secure.on('data', (data: Buffer) => {
			isCreation ||= data.includes('POST /v1/events/insert');
			upstream.write(data);
		});
		upstream.on('data', (data: Buffer) => {
			if (!isCreation || isBroken) return secure.write(data);
			isBroken = true;
			return raw.write(Buffer.from([23, 3, 3, 0, 32, ...Buffer.alloc(32, 7)]));
		});
		upstream.on('end', () => secure.end());
		for (const each of [raw, secure, upstream]) each.on('error', () => undefined);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return { server, baseUrl: `https://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

it('A creation whose response was destroyed in TLS is not repeated by Retry On Fail', async () => {
	const { server, baseUrl } = await brokenGateway();
	const { connect: connectTls } = tls;
	// The certificate is trusted, as with NODE_EXTRA_CA_CERTS.
	jest
		.spyOn(tls, 'connect')
		.mockImplementation(((options: tls.ConnectionOptions, ...rest: []) =>
			connectTls({ ...options, rejectUnauthorized: false }, ...rest)) as typeof tls.connect);
	await runWorkflow({
		service: { credential: { ...service.credential, baseUrl } },
		parameters: {
			...{ resource: 'event', operation: 'create', title: 'Keynote', dateScheduled: '2030-01-01 10:00:00' },
		},
		rounds: [[{ json: {} }]],
		settings: { retryOnFail: true, maxTries: 3 },
	}).finally(() => server.close());
	expect(service.state.events).toHaveLength(1);
});
