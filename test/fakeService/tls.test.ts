import axios from 'axios';
import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { join } from 'node:path';

import { json } from './axiosClient';
import type { RunningService } from './index';
import { serviceForEachTest } from './serviceForEachTest';

// Made for tests, self-signed for localhost and 127.0.0.1, valid for 100 years.
const pem = (name: string) => readFileSync(join(__dirname, 'loopbackCertificate', `${name}.pem`), 'utf8');

let service: RunningService;
serviceForEachTest((started) => (service = started), { tls: { key: pem('key'), cert: pem('cert') } });

it('with a certificate the service speaks HTTPS, to those who trust it', async () => {
	const { baseUrl, email, password, applicationId } = service.credential;
	const request = (ca?: string) =>
		axios.post(
			`${baseUrl}/v1/authenticate`,
			{ email, password, resource: applicationId },
			{ headers: json, httpsAgent: new Agent({ ca }) },
		);
	expect(baseUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
	await expect(request()).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
	expect((await request(pem('cert'))).status).toBe(200);
});

it('faults occur over HTTPS too', async () => {
	service.injectFault({ on: 'authenticate', kind: 'reset' });
	const asking = axios.post(
		`${service.baseUrl}/v1/authenticate`,
		{},
		{ httpsAgent: new Agent({ ca: pem('cert') }) },
	);
	await expect(asking).rejects.toMatchObject({ code: 'ECONNRESET' });
});
