import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

import type { Fault } from './faults';
import type { RunningService, ServiceCredential } from './index';
import { eventStatuses, type ServiceSettings } from './settings';

const eventStatusSchema = z.object({ hash: z.string(), status: z.enum(eventStatuses) }).strict();

/** Every control request by method and path; README.md lists them. */
const controls: Record<string, (service: RunningService, body: unknown) => unknown> = {
	'GET /_control/requests': ({ requests }) => requests.map((request) => ({ ...request, form: undefined })),
	'DELETE /_control/requests': ({ requests }) => void requests.splice(0),
	'GET /_control/state': ({ state }) => state,
	// Whoever sends these two follows README.md.
	'POST /_control/faults': (service, body) => service.injectFault(body as Fault),
	'POST /_control/seeds': (service, body) => service.seedEvents((body as { events: number }).events),
	'POST /_control/event-status': (service, body) => {
		const { hash, status } = eventStatusSchema.parse(body);
		service.setEventStatus(hash, status);
		return { message: `The event ${hash} is now ${status}. A trigger notices it at its next poll.` };
	},
};

/** Lets other processes control a running service: responds to a request to `/_control/…`. */
export async function serveControl(service: RunningService, req: IncomingMessage, res: ServerResponse) {
	const respond = (status: number, result: unknown) =>
		res.writeHead(status, { 'Content-Type': 'application/json' }).end(`${JSON.stringify(result)}\n`);
	const name = `${req.method} ${req.url}`;
	const handle = controls[name];
	if (handle === undefined) return respond(404, { error: `No control ${name}` });
	try {
		const body = await text(req);
		return respond(200, handle(service, body === '' ? undefined : JSON.parse(body)) ?? null);
	} catch (error) {
		return respond(400, { error: error instanceof Error ? error.message : String(error) });
	}
}

/** Runs the service in a process of its own, which ends with this process. */
export async function startServiceProcess(settings: Partial<ServiceSettings> = {}) {
	const child = fork(join(__dirname, 'main.ts'), [JSON.stringify(settings)], {
		execArgv: ['--import', 'tsx'],
		// tsx is found from the repository's root.
		cwd: join(__dirname, '..', '..'),
	});
	const ended = once(child, 'exit').then(() => undefined);
	const started = await Promise.race([once(child, 'message'), ended]);
	if (started === undefined)
		throw new Error('The fake service ended before it had started; its message is above');
	child.unref();
	child.channel?.unref();
	// What main.ts sends.
	const [credential] = started as [ServiceCredential];
	return {
		credential,
		/** Sends a control request, such as `POST` and `seeds`. */
		control: async <T>(method: string, path: string, body?: object): Promise<T> => {
			const text = body && JSON.stringify(body);
			const response = await fetch(`${credential.baseUrl}/_control/${path}`, { method, body: text });
			const result: unknown = await response.json();
			if (!response.ok) throw new Error(`Control ${method} ${path}: ${JSON.stringify(result)}`);
			// The other process runs the functions above; checking their types again would prove nothing.
			return result as T;
		},
	};
}
