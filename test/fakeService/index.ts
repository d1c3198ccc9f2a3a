import { EventEmitter, once } from 'node:events';

import type { RecordedRequest, ServiceParts } from './call';
import { serveControl } from './control';
import type { Fault } from './faults';
import { listen, stopListening } from './listen';
import type { OperationName } from './operations';
import { createServiceServer } from './server';
import { settingsSchema, type EventStatus, type ServiceSettings } from './settings';
import { addEvent, addFolder, addVideo, emptyState, type Folder, type LiveEvent, type Video } from './state';

export type { Fault } from './faults';
export { operationNames, type OperationName } from './operations';
export { responseShapes } from './settings';
export type { RecordedRequest } from './call';
export type { EventStatus, ServiceSettings } from './settings';
export type { Folder, LiveEvent, ServiceState, Upload, Video } from './state';

/** What a user would type into the credential. */
export type ServiceCredential = Pick<ServiceSettings, 'email' | 'password' | 'applicationId' | 'planId'> & {
	baseUrl: string;
};

/** So many records with defaults, or those given, whose missing fields get defaults. */
type Seeds<T> = number | Array<Partial<T>>;

/** Starts the fake service on loopback. Throws when a setting is not valid or the port is in use. */
export async function startService(given: Partial<ServiceSettings> = {}) {
	const settings = settingsSchema.parse(given);
	const state = emptyState();
	const requests: RecordedRequest[] = [];
	const changes = new EventEmitter().setMaxListeners(0);
	const changed = () => void changes.emit('change');
	const parts: ServiceParts = { settings, state, tokens: new Map(), faults: [], requests, changed };
	const server = createServiceServer(parts, (req, res) => void serveControl(service, req, res));
	const port = await listen(server, settings.port, settings.host);
	const baseUrl = `${settings.tls === undefined ? 'http' : 'https'}://${settings.host}:${port}`;

	const service = {
		/** `http://127.0.0.1:<port>`, without a trailing slash. */
		baseUrl,
		/** May be changed while running; applies from the next request. */
		settings,
		state,
		/** Every request that arrived, in order. */
		requests,
		get credential(): ServiceCredential {
			const { email, password, applicationId, planId } = settings;
			return { baseUrl, email, password, applicationId, planId };
		},
		/** Password, plan secrets, and the tokens that requests were sent with. */
		get secrets(): string[] {
			const tokens = requests.flatMap(({ headers }) => headers.authorization?.split(' ')[1] ?? []);
			return [settings.password, ...Object.values(settings.plans), ...tokens].filter((each) => each !== '');
		},
		requestsOf: (operation: OperationName) => requests.filter((request) => request.operation === operation),
		/** Resolves once `condition` holds; it is checked at every request, body chunk and response. */
		until: async (condition: () => boolean): Promise<void> => {
			while (!condition()) await once(changes, 'change');
		},
		seedEvents: (what: Seeds<LiveEvent>) => each(what).map((event) => addEvent(state, settings, event)),
		seedFolders: (what: Seeds<Folder>) => each(what).map((folder) => addFolder(state, folder)),
		seedVideos: (what: Seeds<Video>) => each(what).map((video) => addVideo(state, settings, video)),
		/** Throws when no event has this hash. */
		setEventStatus: (hash: string, status: EventStatus): void => {
			const event = state.events.find((candidate) => candidate.hash === hash);
			if (event === undefined) throw new Error(`The fake service has no event with hash ${hash}`);
			event.status = status;
		},
		/** Injects a fault for the next matching requests; see faults.ts. */
		injectFault: (fault: Fault) => void parts.faults.push({ times: 1, skip: 0, ...fault }),
		clearFaults: () => void parts.faults.splice(0),
		/** Every token issued so far is rejected from now on. */
		expireTokens: () => parts.tokens.clear(),
		/** No connection is accepted until comeBack(); state, tokens and port stay. */
		goDown: async () => await stopListening(server),
		comeBack: async () => void (await listen(server, port, settings.host)),
		close: async () => await stopListening(server),
	};
	return service;
}

export type RunningService = Awaited<ReturnType<typeof startService>>;

function each<T>(what: Seeds<T>): Array<Partial<T>> {
	return typeof what === 'number' ? Array.from({ length: what }, () => ({})) : what;
}
