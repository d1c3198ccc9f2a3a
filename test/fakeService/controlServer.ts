import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { z } from 'zod';

import { faultSchema } from './faults';
import type { RunningService } from './index';
import { eventStatuses } from './settings';
import { folderSchema, liveEventSchema, videoSchema } from './state';

const howMany = z.number().int().nonnegative().max(1_000_000);
const seedsSchema = z
	.object({
		events: z.union([howMany, z.array(liveEventSchema.partial())]).default(0),
		folders: z.union([howMany, z.array(folderSchema.partial())]).default(0),
		videos: z.union([howMany, z.array(videoSchema.partial())]).default(0),
	})
	.strict();

const eventStatusSchema = z.object({ hash: z.string(), status: z.enum(eventStatuses) }).strict();

type ControlHandler = (service: RunningService, body: unknown) => unknown;

/** Every control request by method and path; README.md lists them. */
const controls: Record<string, ControlHandler> = {
	'GET /_control/requests': (service) => service.requests.map((request) => ({ ...request, form: undefined })),
	'DELETE /_control/requests': (service) => {
		service.requests.length = 0;
	},
	'GET /_control/state': ({ state }) => ({
		...state,
		uploads: state.uploads.map((upload) => ({ ...upload, content: [] })),
	}),
	'POST /_control/faults': (service, body) => service.injectFault(faultSchema.parse(body)),
	'DELETE /_control/faults': (service) => service.clearFaults(),
	'POST /_control/seeds': (service, body) => {
		const { events, folders, videos } = seedsSchema.parse(body);
		return {
			events: service.seedEvents(events),
			folders: service.seedFolders(folders),
			videos: service.seedVideos(videos),
		};
	},
	'POST /_control/event-status': (service, body) => {
		const { hash, status } = eventStatusSchema.parse(body);
		service.setEventStatus(hash, status);
		return { message: `The event ${hash} is now ${status}. A trigger notices it at its next poll.` };
	},
};

/** An HTTP server that lets other processes control a running service. A request that is not valid gets 400 and the reason. */
function createControlServer(service: RunningService): Server {
	return createServer((req, res) => {
		void control(service, req).then(({ status, body }) => {
			res.writeHead(status, { 'Content-Type': 'application/json' });
			res.end(`${JSON.stringify(body ?? null)}\n`);
		});
	});
}

async function control(
	service: RunningService,
	req: IncomingMessage,
): Promise<{ status: number; body: unknown }> {
	const url = new URL(req.url ?? '/', 'http://control');
	const handler = controls[`${req.method} ${url.pathname}`];
	if (handler === undefined)
		return { status: 404, body: { error: `No control ${req.method} ${url.pathname}` } };
	try {
		const hasBody = Number(req.headers['content-length'] ?? 0) > 0;
		const body: unknown = await handler(service, hasBody ? await json(req) : undefined);
		return { status: 200, body };
	} catch (error) {
		return { status: 400, body: { error: error instanceof Error ? error.message : String(error) } };
	}
}

/**
 * Starts the control server on a port of loopback; 0 lets the system choose.
 *
 * @returns the address of its requests, `http://127.0.0.1:<port>/_control`, and what ends it
 */
export async function listenForControl(
	service: RunningService,
	controlPort = 0,
): Promise<{ url: string; close: () => void }> {
	const server = createControlServer(service);
	await new Promise<void>((resolve) => server.listen(controlPort, '127.0.0.1', resolve));
	// A server that listens on a TCP port has an AddressInfo, never a pipe's name.
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/_control`,
		close: () => {
			server.close();
			server.closeAllConnections();
		},
	};
}
