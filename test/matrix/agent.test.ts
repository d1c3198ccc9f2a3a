import { randomUUID } from 'node:crypto';

import type { IDataObject, INode } from 'n8n-workflow';

import { RESOURCES } from '../../nodes/VideoHosting/actions/panel';
import { startOutsideServices, type OutsideServices } from '../endToEnd/outsideServices';
import { operationNames, type RunningService } from '../fakeService';
import { mp4Of, onePixelPng, sha256 } from '../n8n/files';
import type { RunningN8n } from '../n8n/instance';
import { n8n2 } from '../n8n/releases';
import type { StoredCredential, WorkflowJson } from '../n8n/rest';
import { manualTrigger, node, videoHosting, workflowOf } from '../n8n/workflow';
import { credentialFor, inEachRelease, startTimeout } from '../n8n/place';

const AGENT = 'AI Agent';

const hash = '5f1d7a84b9';
const videoHash = '9c3e0d51f7';
const uuid = '6a2f41a3-c54c-4fce-8a01-4c1b9f0e2d3b';
const film = mp4Of('A film');
const fileName = 'film.mp4';
const modes: Record<string, string> = { event: 'hash', folder: 'uuid', video: 'hash' };

/** What the model enters, by `parameter` or `collection.parameter`. */
type Entered = Record<string, string | number | boolean>;

/** An operation as the tool of an agent, with a part of what the model receives. */
type Tool = [operation: string, entered: Entered, answer: string];

/**
 * Each operation, in an order in which it finds what it is about.
 *
 * @param files where a film and an image can be downloaded
 * @param uploadId that Upload → Create has returned
 */
const toolsWith = (files: string, uploadId: string): Tool[] => [
	['event create', { title: 'Gala', dateScheduled: '2030-05-05 10:00' }, '"2030-05-05 10:00:00"'],
	[
		'event upsert',
		{ externalId: randomUUID(), title: 'Show', dateScheduled: '2030-05-06 10:00' },
		'"change":"created"',
	],
	['event get', { event: hash }, '"title":"Town hall"'],
	['event getAll', { 'filters.status': 'WAITING_LIVE', limit: 1 }, '"title":"Town hall"'],
	['event update', { event: hash, title: 'Renamed' }, '"title":"Renamed"'],
	['event start', { event: hash }, '"status":"LIVE"'],
	['event end', { event: hash }, '"status":"ON_DEMAND"'],
	['event delete', { event: hash }, '"deleted":true'],
	['folder create', { name: 'Webinars' }, '"name":"Webinars"'],
	['folder get', { folder: uuid }, '"name":"Concerts"'],
	['folder getAll', { returnAll: true }, '"name":"Webinars"'],
	['folder count', {}, '"folders":2'],
	['folder update', { folder: uuid, 'updateFields.name': 'Talks' }, '"name":"Talks"'],
	['upload upload', { url: `${files}/film`, fileName, folder: uuid }, '"complete":true'],
	['upload create', { fileName, size: film.length }, '"uploadUrl"'],
	['upload getStatus', { uploadId }, '"offset":0'],
	['upload resume', { uploadId, url: `${files}/film`, fileName }, '"complete":true'],
	['diskUsage getApplication', {}, '"diskUsageReadable":"1 MB"'],
	['diskUsage getFolder', { folder: uuid }, `"diskUsageReadable":"${film.length} B"`],
	['diskUsage getFolders', { returnAll: true }, '"folder":"Webinars"'],
	['video get', { video: videoHash }, '"name":"Trailer"'],
	['video getAll', { limit: 1, 'filters.name': 'Trailer' }, '"name":"Trailer"'],
	['video search', { name: 'Trail', returnAll: true }, '"name":"Trailer"'],
	['video update', { video: videoHash, name: 'Interview' }, '"name":"Interview"'],
	['video move', { video: videoHash, folder: uuid }, `"folder_uuid":"${uuid}"`],
	['video setThumbnail', { video: videoHash, url: `${files}/image` }, '"thumbnailSet":true'],
	['video delete', { video: videoHash }, '"deleted":true'],
	['folder delete', { folder: uuid }, '"deleted":true'],
];

const requests = operationNames.filter((name) => name !== 'authenticate');

/** As the name of a field that the model fills in. */
const keyOf = (path: string) => path.replace('.', '_');

/** Parameters of which each is left to the model. */
function leftToModel(entered: Entered): IDataObject {
	const parameters: IDataObject = {};
	for (const [path, value] of Object.entries(entered)) {
		const [name = '', field] = path.split('.');
		const left = `={{ $fromAI('${keyOf(path)}', '', '${typeof value}') }}`;
		const mode = modes[name];
		if (field !== undefined) parameters[name] = { [field]: left };
		else parameters[name] = mode === undefined ? left : { __rl: true, mode, value: left };
	}
	return parameters;
}

it('The agent has a tool for each operation', () => {
	const operations = Object.entries(RESOURCES).flatMap(([resource, { operations: all }]) =>
		Object.keys(all).map((operation) => `${resource} ${operation}`),
	);
	const tools = toolsWith('', '').map(([operation]) => operation);
	expect(tools.sort()).toEqual(operations.sort());
});

inEachRelease((place) => {
	let service: RunningService;
	let n8n: RunningN8n;
	let credential: StoredCredential;
	let modelCredential: StoredCredential;
	let outside: OutsideServices;
	/** Up to 2.2 an agent runs its tools itself, since 3 n8n does. */
	const agentVersions = [2.2, place.release === n8n2 ? 3.1 : 3];

	beforeAll(async () => {
		service = await place.service({ secretInEveryResponse: true });
		n8n = await place.n8n();
		credential = await credentialFor(n8n, service);
		outside = await startOutsideServices();
		place.endLater(outside.close);
		const account = { apiKey: 'key-of-the-test', url: `${outside.url}/openai` };
		modelCredential = await n8n.rest.createCredential('openAiApi', 'OpenAI', account);
		outside.files.set('film', { type: 'video/mp4', bytes: film });
		outside.files.set('image', { type: 'image/png', bytes: onePixelPng });
		outside.nextCall = (responses) => {
			const [operation, entered] = tools(responses)[responses.length] ?? [];
			if (operation === undefined) return undefined;
			const values = Object.entries(entered ?? {}).map(([path, value]) => [keyOf(path), value]);
			return [operation.replace(' ', '_'), Object.fromEntries(values)];
		};
	}, startTimeout);
	beforeEach(() => {
		outside.chatRequests.length = 0;
		Object.assign(service.state, { events: [], folders: [], videos: [], uploads: [] });
		service.requests.length = 0;
		service.clearFaults();
		service.seedEvents([{ hash, title: 'Town hall' }]);
		service.seedFolders([{ uuid, name: 'Concerts' }]);
		service.seedVideos([{ hash: videoHash, name: 'Trailer' }]);
	});

	describe.each(agentVersions)('an agent of version %s', (version) => {
		it('calls each operation, and its model receives each result without a secret', async () => {
			await n8n.rest.runToSuccess(agent(version));

			const answers = tools(outside.toolResponses).map(([, , answer]) => expect.stringContaining(answer));
			expect(outside.toolResponses).toEqual(answers);
			expect(service.state).toMatchObject({
				events: [{ title: 'Gala' }, { dateScheduled: '2030-05-06 10:00:00' }],
				folders: [{ name: 'Webinars' }],
				uploads: Array(2).fill({ complete: true, sha256: sha256(film) }),
			});
			expectNoSecret();
		}, 60_000);

		it('has a model that receives what happened and what to do, when each tool fails', async () => {
			const error = `Not with ${service.credential.password}`;
			service.injectFault({ on: requests, kind: 'status', status: 422, error, times: Infinity });

			await n8n.rest.runToSuccess(agent(version));

			// The response to HEAD has no body.
			const happened =
				/(Not with \[hidden\]|returned 422 without a message)\..*(Check (the values|Event)|Run this again)/;
			expect(outside.toolResponses).toEqual(tools().map(() => expect.stringMatching(happened)));
			expectNoSecret();
		}, 60_000);
	});

	function tools(responses: string[] = []): Tool[] {
		const uploadId = /"uploadUrl":".*\/(.*?)"/.exec(responses.join('\n'))?.[1] ?? 'unknown';
		return toolsWith(`${outside.url}/files`, uploadId);
	}

	/** An agent whose tools return their errors. */
	function agent(version: number): WorkflowJson {
		const asked = { promptType: 'define', text: 'Call each tool.', options: { maxIterations: 50 } };
		const agentNode = node(AGENT, '@n8n/n8n-nodes-langchain.agent', version, asked);
		const workflow = workflowOf('Agent', [manualTrigger(), agentNode]);
		const attach = (attached: INode, type: 'ai_languageModel' | 'ai_tool') => {
			workflow.nodes.push(attached);
			workflow.connections[attached.name] = { [type]: [[{ node: AGENT, type, index: 0 }]] };
		};
		const chosen = { model: { __rl: true, mode: 'id', value: 'gpt-4.1-mini' }, options: {} };
		const model = '@n8n/n8n-nodes-langchain.lmChatOpenAi';
		attach(node('Chat Model', model, 1.2, chosen, modelCredential), 'ai_languageModel');
		for (const [tool, entered] of tools()) {
			const [resource, operation] = tool.split(' ');
			// Where there is no Source, n8n ignores it.
			const parameters = { resource, operation, source: 'url', ...leftToModel(entered) };
			const type = 'n8n-nodes-video-hosting.videoHostingTool';
			const onError = 'continueRegularOutput';
			attach({ ...videoHosting(tool, credential, parameters), type, onError }, 'ai_tool');
		}
		return workflow;
	}

	/** Looks at all that the model was sent. */
	function expectNoSecret(): void {
		const sent = outside.chatRequests.join();
		expect(service.requests.some(({ headers }) => headers.authorization !== undefined)).toBe(true);
		for (const secret of service.secrets) expect(sent).not.toContain(secret);
	}
});
