import { executeForJson } from '../execution/executeNode';
import type { RunningService, ServiceSettings } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

/** Where the response to sign-in contains the token (docs/api-reference.md#authenticate shows no body). */
let service: RunningService;
serviceForEachTest((started) => (service = started), { tokenForm: 'jwt' });

const count = async () =>
	await executeForJson({ service, parameters: { resource: 'folder', operation: 'count' } });

it.each<ServiceSettings['authenticateResponse']>([
	'string',
	'text',
	'unusualName',
	'listedToken',
	'authorizationHeader',
	'tokenHeader',
	'cookie',
	'idToken',
	'several',
])('A JSON Web Token is found as %s', async (authenticateResponse) => {
	service.settings.authenticateResponse = authenticateResponse;
	expect(await count()).toEqual([{ folders: 0 }]);
});

it.each<ServiceSettings['authenticateResponse']>(['authorizationHeader', 'tokenHeader'])(
	'An opaque token is found as %s',
	async (authenticateResponse) => {
		Object.assign(service.settings, { tokenForm: 'opaque', authenticateResponse });
		expect(await count()).toEqual([{ folders: 0 }]);
	},
);

it('Two different tokens are an error that names their places and shows neither', async () => {
	service.settings.authenticateResponse = 'twoTokens';
	const error = await count().catch((thrown: unknown) => thrown);
	expect(error).toBeInstanceOf(Error);
	expect(String(error)).toMatch(/several different tokens \(first, others\.0\.second\)/);
	expect(JSON.stringify(error) + String(error)).not.toMatch(/eyJ/);
	expect(service.requestsOf('folderTotal')).toEqual([]);
});

it('A failure that comes with status 200 shows its message', async () => {
	const body = '{"success":false,"message":"Account suspended"}';
	service.injectFault({ on: 'authenticate', kind: 'status', status: 200, body, times: 3 });
	await expect(count()).rejects.toThrow('Account suspended');
});
