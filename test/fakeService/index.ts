import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Faults, type Fault } from './faults';
import type { OperationName } from './operations';
import { Recording, type RecordedRequest } from './recording';
import { createServiceServer } from './server';
import { settingsSchema, type EventStatus, type ServiceSettings } from './settings';
import {
	addEvent,
	addFolder,
	addVideo,
	emptyState,
	seed,
	type Folder,
	type LiveEvent,
	type ServiceState,
	type Video,
} from './state';
import { Tokens } from './tokens';

export type { Fault } from './faults';
export { operationNames, type OperationName } from './operations';
export { responseShapes } from './settings';
export type { FormFile, RecordedRequest } from './recording';
export type { EventStatus, ServiceSettings } from './settings';
export type { Folder, LiveEvent, ServiceState, Upload, Video } from './state';

/** What a user would type into the credential. */
export interface ServiceCredential {
	baseUrl: string;
	email: string;
	password: string;
	applicationId: string;
	planId: string;
}

export interface RunningService {
	/** `http://127.0.0.1:<port>`, without a trailing slash. */
	readonly baseUrl: string;
	/** May be changed while running; applies from the next request. */
	readonly settings: ServiceSettings;
	/** Every request that arrived, in order. */
	readonly requests: RecordedRequest[];
	readonly state: ServiceState;
	readonly credential: ServiceCredential;
	requestsOf(operation: OperationName): RecordedRequest[];
	/** Resolves once `condition` holds; it is checked at every request, body chunk and response. */
	until(condition: () => boolean): Promise<void>;
	/** Adds so many records, or those given (missing fields get defaults), and returns them. */
	seedEvents(what: number | Array<Partial<LiveEvent>>): LiveEvent[];
	seedFolders(what: number | Array<Partial<Folder>>): Folder[];
	seedVideos(what: number | Array<Partial<Video>>): Video[];
	/** Throws when no event has this hash. */
	setEventStatus(hash: string, status: EventStatus): void;
	/** Injects a fault for the next matching requests; see faults.ts. */
	injectFault(fault: Fault): void;
	clearFaults(): void;
	/** Every token issued so far is rejected from now on. */
	expireTokens(): void;
	/** No connection is accepted until comeBack(); state, tokens and port stay. */
	goDown(): Promise<void>;
	comeBack(): Promise<void>;
	close(): Promise<void>;
}

/** Starts the fake service on loopback. Throws when a setting is not valid or the port is in use. */
export async function startService(given: Partial<ServiceSettings> = {}): Promise<RunningService> {
	const settings = settingsSchema.parse(given);
	const state = emptyState();
	const tokens = new Tokens();
	const faults = new Faults();
	const recording = new Recording();
	let baseUrl = '';
	const server = createServiceServer({ settings, state, tokens, faults, recording, origin: () => baseUrl });
	await listen(server, settings.port, settings.host);
	const { port } = addressOf(server);
	baseUrl = `${settings.tls === undefined ? 'http' : 'https'}://${settings.host}:${port}`;

	return {
		baseUrl,
		settings,
		state,
		requests: recording.requests,
		get credential() {
			const { email, password, applicationId, planId } = settings;
			return { baseUrl, email, password, applicationId, planId };
		},
		requestsOf: (operation) => recording.requests.filter((request) => request.operation === operation),
		until: (condition) => recording.until(condition),
		seedEvents: (what) => seed<LiveEvent>(what, (event) => addEvent(state, settings, event)),
		seedFolders: (what) => seed<Folder>(what, (folder) => addFolder(state, folder)),
		seedVideos: (what) => seed<Video>(what, (video) => addVideo(state, settings, video)),
		setEventStatus: (hash, status) => {
			const event = state.events.find((candidate) => candidate.hash === hash);
			if (event === undefined) throw new Error(`The fake service has no event with hash ${hash}`);
			event.status = status;
		},
		injectFault: (fault) => faults.injectFault(fault),
		clearFaults: () => faults.clear(),
		expireTokens: () => tokens.revokeAll(),
		goDown: () => stopListening(server),
		comeBack: () => listen(server, port, settings.host),
		close: () => stopListening(server),
	};
}

function listen(server: Server, port: number, host: string): Promise<void> {
	return new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, host, () => {
			server.off('error', reject);
			resolve();
		});
	});
}

function stopListening(server: Server): Promise<void> {
	return new Promise((resolve) => {
		server.close(() => resolve());
		server.closeAllConnections();
	});
}

function addressOf(server: Server): AddressInfo {
	const address = server.address();
	if (address === null || typeof address === 'string')
		throw new Error('The fake service listens on no TCP port');
	return address;
}
