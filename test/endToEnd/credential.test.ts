import type { IDataObject } from 'n8n-workflow';

import { startService, type RunningService } from '../fakeService';
import { errorOf } from '../n8n/execution';
import type { StoredCredential, WorkflowJson } from '../n8n/rest';
import { countFolders, requestFolders, videoHostingTrigger, workflowOf } from '../n8n/workflow';
import { joinTestEnvironment, type TestEnvironment } from './testEnvironment';

const OTHER_APPLICATION = '7d0f3a52-3f36-4c1c-9a52-0d9d8c3b1e77';

let environment: TestEnvironment;
let service: RunningService;
/** Another service, where the same email and password have an account. */
let elsewhere: RunningService;

beforeAll(async () => {
	environment = await joinTestEnvironment({ otherApplicationIds: [OTHER_APPLICATION] });
	({ service } = environment);
	elsewhere = await startService();
}, 180_000);

afterAll(async () => {
	await environment?.remove();
	await elsewhere?.close();
});

beforeEach(() => {
	for (const { requests } of [service, elsewhere]) requests.length = 0;
	Object.assign(service.settings, { expiredTokenStatus: 401 });
});

/** Message and description of the error of a run, '' for none. */
const errorOfRun = async (workflow: WorkflowJson) => errorOf(await environment.n8n.rest.runToEnd(workflow));

const picker = async (credential: StoredCredential): Promise<unknown> =>
	await environment.n8n.rest.pickerPage({
		nodeTypeAndVersion: { name: 'n8n-nodes-video-hosting.videoHosting', version: 1 },
		methodName: 'searchFolders',
		path: 'parameters.folder',
		currentNodeParameters: { resource: 'folder', operation: 'get' },
		credentials: { videoHostingApi: credential },
	});

const tokensSentTo = ({ requests }: RunningService) =>
	requests.flatMap(({ headers }) => headers.authorization ?? []);

interface Edit {
	change: (credential: typeof service.credential) => IDataObject;
	/** What every user of the credential reports afterwards; '' for success. */
	message: string;
	/** Where requests go afterwards. */
	target?: () => RunningService;
	/** How the service rejects a token that it does not know. */
	expiredTokenStatus?: 401 | 403;
}

const edits: Array<[string, Edit]> = [
	['a wrong password', { change: () => ({ password: 'wrong' }), message: 'Invalid email or password' }],
	[
		'a wrong password, where a rejected token is 403',
		{ change: () => ({ password: 'wrong' }), message: 'Invalid email or password', expiredTokenStatus: 403 },
	],
	[
		'another email',
		{ change: () => ({ email: 'somebody@example.com' }), message: 'Invalid email or password' },
	],
	['another application', { change: () => ({ applicationId: OTHER_APPLICATION }), message: '' }],
	[
		'another Base URL',
		{ change: () => ({ baseUrl: elsewhere.baseUrl }), message: '', target: () => elsewhere },
	],
];

it.each(edits)(
	'after %s is saved, the old token is sent nowhere: by nodes, pickers and the test of the credential',
	async (what, { change, message, target = () => service, expiredTokenStatus = 401 }) => {
		const { rest } = environment.n8n;
		const data = { ...service.credential, ...change(service.credential) };
		const credential = await rest.createCredential('videoHostingApi', 'Edited', service.credential);
		expect(await errorOfRun(countFolders(credential))).toBe('');
		const known = tokensSentTo(service);
		expect(known).toEqual([expect.stringMatching(/^Bearer \S+$/)]);
		service.settings.expiredTokenStatus = expiredTokenStatus;
		service.requests.length = 0;

		await rest.editCredential(credential, change(service.credential), { isTested: false });
		const users = [
			async () => await errorOfRun(countFolders(credential)),
			async () => await errorOfRun(requestFolders(credential, target().baseUrl)),
			async () => await picker(credential).then(() => '', String),
			async () => {
				const { status, message: said } = await rest.testCredential(credential, data);
				return status === 'OK' ? '' : said;
			},
		];
		// Another one is the first to use the edited credential each time.
		const first = edits.findIndex(([name]) => name === what) % users.length;
		for (const use of [...users.slice(first), ...users.slice(0, first)]) {
			expect(await use()).toEqual(message === '' ? '' : expect.stringContaining(message));
		}
		const sent = [service, elsewhere].flatMap(tokensSentTo);
		expect(sent.filter((token) => known.includes(token))).toEqual([]);
		expect(sent.length > 0).toBe(message === '');
	},
	60_000,
);

it('white space around the fields is ignored: signing in works, and the token stays when it is removed', async () => {
	const { rest } = environment.n8n;
	const { baseUrl, email, applicationId, planId } = service.credential;
	const padded = {
		...{ baseUrl: ` ${baseUrl}/v1/ `, email: ` ${email}\t` },
		...{ applicationId: `\n${applicationId} `, planId: ` ${planId} ` },
	};
	const all = { ...service.credential, ...padded };
	const credential = await rest.createCredential('videoHostingApi', 'Padded', all);
	expect(await errorOfRun(countFolders(credential))).toBe('');
	await rest.editCredential(credential, { ...service.credential }, { isTested: false });
	expect(await errorOfRun(countFolders(credential))).toBe('');
	expect(await errorOfRun(requestFolders(credential, service.baseUrl))).toBe('');
	expect(service.requestsOf('authenticate')).toHaveLength(1);
	expect(await rest.editCredential(credential, padded)).toMatchObject({ status: 'OK' });
});

it('with a wrong password, a workflow is not activated, and the reason is shown', async () => {
	const { rest } = environment.n8n;
	const wrong = { ...service.credential, password: 'wrong' };
	const credential = await rest.createCredential('videoHostingApi', 'Wrong password', wrong);
	const { id } = await rest.createWorkflow(workflowOf('Wrong', [videoHostingTrigger(credential)]));
	await expect(rest.activateWorkflow(id)).rejects.toThrow(/Invalid email or password/);
}, 60_000);
