import { createHash } from 'node:crypto';

import type { IDataObject, INode } from 'n8n-workflow';

import { RESOURCES } from '../../nodes/VideoHosting/actions/panel';
import { OutsideServices } from '../endToEnd/outsideServices';
import { operationNames, type RecordedRequest, type RunningService } from '../fakeService';
import { onePixelPng } from '../n8n/files';
import type { RunningN8n } from '../n8n/instance';
import { n8n2 } from '../n8n/releases';
import type { StoredCredential, WorkflowJson } from '../n8n/rest';
import { manualTrigger, node, videoHosting, workflowOf } from '../n8n/workflow';
import { credentialFor, inEachRelease, startTimeout } from './place';

const AGENT = 'AI Agent';

const hash = '5f1d7a84b9';
const videoHash = '9c3e0d51f7';
const uuid = '6a2f41a3-c54c-4fce-8a01-4c1b9f0e2d3b';
const planId = 'plan-1001';
const secret = 'plan-secret-7Qm2';
const payload = { planId };
const film = Buffer.from('A film');
const fileName = 'film.mp4';
const modes: Record<string, string> = { event: 'hash', folder: 'uuid', video: 'hash' };

/** An operation as the tool of an agent. */
interface Tool {
	/** What the model enters, by `parameter` or `collection.parameter`. */
	entered: Record<string, string | number | boolean>;
	/** The request that the tool is for; its path is below `/v1/`. */
	sent: Partial<RecordedRequest>;
	/** A part of what the model receives. */
	answer: string;
}

/**
 * Each operation, in an order in which it finds what it is about.
 *
 * @param files where a film and an image can be downloaded
 * @param uploadId that Upload → Create has returned
 */
const toolsWith = (files: string, uploadId: string): Record<string, Tool> => ({
	'event create': {
		entered: { title: 'Gala', dateScheduled: '2030-05-05 10:00' },
		sent: { path: 'events/insert', body: { planId, title: 'Gala', dateScheduled: '2030-05-05 10:00:00' } },
		answer: '"title":"Gala"',
	},
	'event get': {
		entered: { event: hash },
		sent: { path: 'events/searchByHash', query: { planId, hash } },
		answer: '"title":"Town hall"',
	},
	'event getAll': {
		entered: { 'filters.status': 'WAITING_LIVE', limit: 1 },
		sent: { operation: 'eventSearchAll' },
		answer: '"title":"Town hall"',
	},
	'event update': {
		entered: { event: hash, title: 'Renamed' },
		sent: { path: 'events/update', body: { title: 'Renamed', eventId: 4001, secret, hash } },
		answer: '"title":"Renamed"',
	},
	'event start': {
		entered: { event: hash },
		sent: { path: 'events/start-or-end-live', body: { hash, secret, status: 'LIVE' } },
		answer: '"status":"LIVE"',
	},
	'event end': {
		entered: { event: hash },
		sent: { path: 'events/start-or-end-live', body: { hash, secret, status: 'END' } },
		answer: '"status":"ON_DEMAND"',
	},
	'event delete': {
		entered: { event: hash },
		sent: { path: 'events/delete', body: { eventIds: [4001] } },
		answer: '"deleted":true',
	},
	'folder create': {
		entered: { name: 'Webinars' },
		sent: { method: 'POST', path: 'folders', body: { name: 'Webinars' } },
		answer: '"name":"Webinars"',
	},
	'folder get': {
		entered: { folder: uuid },
		sent: { operation: 'folderList' },
		answer: '"name":"Concerts"',
	},
	'folder getAll': {
		entered: { returnAll: true },
		sent: { operation: 'folderList' },
		answer: '"name":"Webinars"',
	},
	'folder count': { entered: {}, sent: { path: 'folders/total' }, answer: '"folders":2' },
	'folder update': {
		entered: { folder: uuid, 'updateFields.name': 'Talks' },
		sent: { method: 'PUT', path: `folders/${uuid}`, body: { name: 'Talks' } },
		answer: '"name":"Talks"',
	},
	'upload upload': {
		entered: { url: `${files}/film`, fileName, folder: uuid },
		sent: { operation: 'uploadPatch', bodyBytes: film.length },
		answer: '"complete":true',
	},
	'upload create': {
		entered: { fileName, size: film.length },
		sent: { operation: 'uploadCreate' },
		answer: '"uploadUrl"',
	},
	'upload getStatus': {
		entered: { uploadId },
		sent: { method: 'HEAD', path: `videos/uploads/${uploadId}` },
		answer: '"offset":0',
	},
	'upload resume': {
		entered: { uploadId, url: `${files}/film`, fileName },
		sent: { method: 'PATCH', path: `videos/uploads/${uploadId}`, bodyBytes: film.length },
		answer: '"complete":true',
	},
	'diskUsage getApplication': {
		entered: {},
		sent: { path: 'videos/diskusagebyapp' },
		answer: '"diskUsageReadable":"1 MB"',
	},
	'diskUsage getFolder': {
		entered: { folder: uuid },
		sent: { path: `videos/diskusagebyfolderandvideo/${uuid}` },
		answer: '"diskUsageReadable":"6 B"',
	},
	'diskUsage getFolders': {
		entered: { returnAll: true },
		sent: { path: `videos/diskusagebyfolderandvideo/${uuid}` },
		answer: '"folder":"Webinars"',
	},
	'video get': {
		entered: { video: videoHash },
		sent: { path: 'videos/application', body: { payload } },
		answer: '"name":"Trailer"',
	},
	'video getAll': {
		entered: { limit: 1, 'filters.name': 'Trailer' },
		sent: { path: 'videos/application', body: { payload } },
		answer: '"name":"Trailer"',
	},
	'video search': {
		entered: { name: 'Trail', returnAll: true },
		sent: { path: 'videos/application', body: { payload }, query: { name: 'Trail', page: '1' } },
		answer: '"name":"Trailer"',
	},
	'video update': {
		entered: { video: videoHash, name: 'Interview' },
		sent: { path: `videos/editVideo/${videoHash}/${planId}`, body: { name: 'Interview' } },
		answer: '"name":"Interview"',
	},
	'video move': {
		entered: { video: videoHash, folder: uuid },
		sent: { path: `videos/moveVideo/${videoHash}`, body: { folder_uuid: uuid } },
		answer: `"folder_uuid":"${uuid}"`,
	},
	'video setThumbnail': {
		entered: { video: videoHash, url: `${files}/image` },
		sent: { path: `videos/uploadThumb/${videoHash}/${planId}` },
		answer: '"thumbnailSet":true',
	},
	'video delete': {
		entered: { video: videoHash },
		sent: { path: `videos/deleteVideo/${videoHash}/${planId}` },
		answer: '"deleted":true',
	},
	'folder delete': {
		entered: { folder: uuid },
		sent: { method: 'DELETE', path: `folders/${uuid}`, body: { name: 'Talks' } },
		answer: '"deleted":true',
	},
});

/** As the name of a field that the model fills in. */
const keyOf = (path: string) => path.replace('.', '_');

/** Parameters of which each is left to the model. */
function leftToModel(entered: Tool['entered']): IDataObject {
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
	expect(Object.keys(toolsWith('', '')).sort()).toEqual(operations.sort());
});

inEachRelease((place) => {
	let service: RunningService;
	let n8n: RunningN8n;
	let credential: StoredCredential;
	let modelCredential: StoredCredential;
	let outside: OutsideServices;
	/** How many requests had arrived when the model called each tool, and when it replied. */
	let arrived: number[];
	/** Up to 2.2 an agent runs its tools itself, since 3 n8n does. */
	const agentVersions = [2.2, place.release === n8n2 ? 3.1 : 3];

	beforeAll(async () => {
		service = await place.service({ secretInEveryResponse: true });
		n8n = await place.n8n();
		credential = await credentialFor(n8n, service);
		outside = await OutsideServices.start();
		place.endLater(async () => await outside.close());
		const account = { apiKey: 'key-of-the-test', url: `${outside.url}/openai` };
		modelCredential = await n8n.rest.createCredential('openAiApi', 'OpenAI', account);
		outside.files.set('film', { type: 'video/mp4', bytes: film });
		outside.files.set('image', { type: 'image/png', bytes: onePixelPng });
		outside.nextCall = (responses) => {
			arrived.push(service.requests.length);
			const [tool, { entered = {} } = {}] = tools(responses)[responses.length] ?? [];
			const values = Object.entries(entered).map(([path, value]) => [keyOf(path), value]);
			return tool === undefined ? undefined : [tool.replace(' ', '_'), Object.fromEntries(values)];
		};
	}, startTimeout);
	beforeEach(() => {
		arrived = [];
		outside.chatRequests.length = 0;
		Object.assign(service.state, { events: [], folders: [], videos: [], uploads: [] });
		service.requests.length = 0;
		service.clearFaults();
		service.seedEvents([{ hash, title: 'Town hall' }]);
		service.seedFolders([{ uuid, name: 'Concerts' }]);
		service.seedVideos([{ hash: videoHash, name: 'Trailer' }]);
	});

	it.each(agentVersions)(
		'an agent of version %s calls each operation, and its model receives each result without a secret',
		async (version) => {
			await n8n.rest.runToSuccess(agent(version));

			const responses = outside.toolResponses;
			expect(responses).toHaveLength(tools().length);
			for (const [index, [tool, { sent, answer }]] of tools(responses).entries()) {
				const requests = service.requests.slice(arrived[index], arrived[index + 1]);
				const path = sent.path === undefined ? {} : { path: `/v1/${sent.path}` };
				const wanted = expect.objectContaining({ ...sent, ...path });
				expect([tool, requests]).toEqual([tool, expect.arrayContaining([wanted])]);
				expect([tool, responses[index]]).toEqual([tool, expect.stringContaining(answer)]);
			}
			const sha256 = createHash('sha256').update(film).digest('hex');
			expect(service.state.uploads).toMatchObject([
				{ sha256, folder: uuid },
				{ sha256, folder: null },
			]);
			expectNoSecret();
		},
		60_000,
	);

	it.each(agentVersions)(
		'the model of an agent of version %s receives what happened and what to do, when each tool fails',
		async (version) => {
			const error = `Not with ${service.credential.password}`;
			const on = operationNames.filter((name) => name !== 'authenticate');
			service.injectFault({ on, kind: 'status', status: 422, error, times: Infinity });

			await n8n.rest.runToSuccess(agent(version));

			// The response to HEAD has no body.
			const happened =
				/(Not with \[hidden\]|returned 422 without a message)\..*(Check the values|Run this again)/;
			expect(outside.toolResponses).toEqual(tools().map(() => expect.stringMatching(happened)));
			expectNoSecret();
		},
		60_000,
	);

	function tools(responses: string[] = []): Array<[string, Tool]> {
		const uploadId = /"uploadUrl":".*\/(.*?)"/.exec(responses.join('\n'))?.[1] ?? 'unknown';
		return Object.entries(toolsWith(`${outside.url}/files`, uploadId));
	}

	/** An agent whose tools return their errors. */
	function agent(version: number): WorkflowJson {
		const { type: modelType, id, name } = modelCredential;
		const workflow = workflowOf('Agent', [
			manualTrigger(),
			node(AGENT, '@n8n/n8n-nodes-langchain.agent', version, {
				...{ promptType: 'define', text: 'Call each tool.', options: { maxIterations: 50 } },
			}),
		]);
		const attach = (attached: INode, type: 'ai_languageModel' | 'ai_tool') => {
			workflow.nodes.push(attached);
			workflow.connections[attached.name] = { [type]: [[{ node: AGENT, type, index: 0 }]] };
		};
		const model = node('Chat Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', 1.2, {
			...{ model: { __rl: true, mode: 'id', value: 'gpt-4.1-mini' }, options: {} },
		});
		attach({ ...model, credentials: { [modelType]: { id, name } } }, 'ai_languageModel');
		for (const [tool, { entered }] of tools()) {
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
		const tokens = service.requests.map(({ headers }) => headers.authorization?.split(' ')[1] ?? '');
		const secrets = [...new Set(tokens), service.credential.password, secret].filter((text) => text !== '');
		expect(secrets.length).toBeGreaterThan(2);
		for (const hidden of secrets) expect(sent).not.toContain(hidden);
	}
});
