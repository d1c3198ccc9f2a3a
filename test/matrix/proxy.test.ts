import type { RunningService } from '../fakeService';
import { expectArrived, writeTestFile } from '../n8n/files';
import type { RunningN8n } from '../n8n/instance';
import { manualTrigger, readFiles, upload, workflowOf } from '../n8n/workflow';
import { certificateFile, credentialFor, inEachRelease, startTimeout, tls } from '../n8n/place';
import { startTinyproxy, type Server } from './servers';

/**
 * An n8n that reaches other hosts only through a proxy, with the mode of binary data that n8n itself chooses, and a service whose
 * certificate n8n is configured to trust.
 */
inEachRelease((place) => {
	let n8n: RunningN8n;
	let proxy: Server;
	let secure: RunningService;

	beforeAll(async () => {
		secure = await place.service({ tls });
		proxy = await startTinyproxy([Number(new URL(secure.baseUrl).port)]);
		place.endLater(proxy.remove);
		const address = `http://127.0.0.1:${proxy.port}`;
		n8n = await place.n8n({
			HTTP_PROXY: address,
			HTTPS_PROXY: address,
			NODE_EXTRA_CA_CERTS: certificateFile,
		});
	}, startTimeout);

	it('sends all requests of an upload through HTTP_PROXY', async () => {
		const service = await place.service({ expiredTokenStatus: 403 });
		await uploadTo(service);
		expect(service.requests.filter(({ headers }) => !headers.via?.includes('tinyproxy'))).toEqual([]);
	}, 60_000);

	it('sends all requests of an upload through HTTPS_PROXY, and trusts NODE_EXTRA_CA_CERTS', async () => {
		await uploadTo(secure);
		const tunnels = proxy.log().split(`CONNECT ${new URL(secure.baseUrl).host} `);
		expect(tunnels).toHaveLength(1 + secure.requests.length);
	}, 60_000);

	/** The connection is cut and tokens expire meanwhile, but no byte is sent twice. */
	async function uploadTo(service: RunningService): Promise<void> {
		const file = writeTestFile(n8n.filesFolder, 'Über uns é – 東京.mp4', 8_000_000);
		service.injectFault({ on: 'uploadCreate', kind: 'expireToken' });
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 5_000_000 });
		service.injectFault({ on: 'uploadPatch', kind: 'expireToken', afterBytes: 2_000_000 });
		const nodes = [manualTrigger(), readFiles(file.path), upload(await credentialFor(n8n, service))];
		await n8n.rest.runToSuccess(workflowOf('Proxy', nodes));
		expectArrived(service, file);
	}
});
