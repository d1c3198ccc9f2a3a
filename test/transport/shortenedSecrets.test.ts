import { inspect } from 'node:util';

import { VideoHostingApi } from '../../credentials/VideoHostingApi.credentials';
import { CredentialStore } from '../execution/credentialStore';
import { executeContext, executeNode } from '../execution/executeNode';
import { by } from '../execution/locator';
import { startService, type RunningService } from '../fakeService';

let service: RunningService;
afterEach(async () => await service.close());

const COUNT = { resource: 'folder', operation: 'count' };
const shown = (error: unknown) => `${JSON.stringify(error)}\n${inspect(error, { depth: 8 })}`;

it('a long token that the service echoes is not shown in part: the text is cut at 300 characters before it is cleaned', async () => {
	service = await startService();
	// A JSON Web Token with a few claims is easily longer than 300 characters.
	const accessToken = `eyJhbGciOiJSUzI1NiJ9.${'c3ViamVjdA'.repeat(40)}.c2lnbmF0dXJl`;
	const credentialStore = new CredentialStore({ ...service.credential, accessToken });
	service.injectFault({
		on: 'folderTotal',
		kind: 'status',
		status: 400,
		error: `Malformed authorization: Bearer ${accessToken}`,
		times: 9,
	});
	const error: unknown = await executeNode({ service, parameters: COUNT, credentialStore }).catch(
		(one: unknown) => one,
	);
	expect(shown(error)).toContain('Malformed authorization');
	expect(shown(error)).not.toContain(accessToken.slice(0, 60));
});

it('an echo that ends in a shorter token at the cut does not show most of it', async () => {
	service = await startService();
	const { credentialStore } = await executeNode({ service, parameters: COUNT });
	const token = String(service.requestsOf('folderTotal')[0]?.headers.authorization).replace('Bearer ', '');
	const before = 'x'.repeat(299 - token.length + 2);
	service.injectFault({
		on: 'folderTotal',
		kind: 'status',
		status: 400,
		error: `${before}${token} is not valid`,
		times: 9,
	});
	const error: unknown = await executeNode({ service, parameters: COUNT, credentialStore }).catch(
		(one: unknown) => one,
	);
	expect(shown(error)).not.toContain(token.slice(0, -3));
});

it('signing in (dialog of the credential, HTTP Request node): a password at the cut is not shown in part', async () => {
	service = await startService();
	const { password } = service.credential;
	const before = `Request body: ${'x'.repeat(287 - password.length)}`;
	const error = `${before}${password}, and so on`;
	service.injectFault({ on: 'authenticate', kind: 'status', status: 400, error, times: 9 });
	const { context } = await executeContext({ service, parameters: COUNT });
	const failure: unknown = await new VideoHostingApi().preAuthentication
		.call({ helpers: context.helpers }, { ...service.credential })
		.catch((one: unknown) => one);
	expect(shown(failure)).toContain('Request body');
	expect(shown(failure)).not.toContain(password.slice(0, -5));
});

it('a token that n8n signed in for, and another execution renewed while the request ran, is not shown', async () => {
	service = await startService();
	const [folder] = service.seedFolders([{ name: 'Concerts' }]);
	const credentialStore = new CredentialStore({ ...service.credential, accessToken: '' });
	const parameters = { resource: 'folder', operation: 'delete', folder: by('uuid', folder?.uuid ?? '') };
	service.injectFault({ on: 'folderList', kind: 'delay', ms: 200 });
	const running = executeNode({ service, parameters, credentialStore }).catch((one: unknown) => one);
	await service.until(() => service.requestsOf('folderList').length > 0);
	const token = String(service.requestsOf('folderList')[0]?.headers.authorization).replace('Bearer ', '');
	service.injectFault({ on: 'folderDelete', kind: 'delay', ms: 200 });
	service.injectFault({ on: 'folderDelete', kind: 'status', status: 400, error: `Not with ${token}` });
	await service.until(() => service.requestsOf('folderDelete').length > 0);
	// Another execution of this n8n stores a token of its own before the response is there.
	credentialStore.token = 'token-of-another-execution';
	const error = await running;
	expect(shown(error)).toContain('Not with');
	expect(shown(error)).not.toContain(token);
});
