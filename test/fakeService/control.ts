import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import type { Fault } from './faults';
import type { ServiceCredential } from './index';
import type { OperationName } from './operations';
import type { RecordedRequest } from './recording';
import type { ServiceSettings } from './settings';
import type { LiveEvent, ServiceState } from './state';

/** A fake service in another process, controlled over its control address. Every method rejects with the error of the control server. */
class RemoteService {
	constructor(private readonly controlUrl: string) {}

	/** Requests in order of arrival, of one operation or all; what was sent as a form is left out. */
	async requests(operation?: OperationName): Promise<RecordedRequest[]> {
		const requests = await this.request<RecordedRequest[]>('GET', 'requests');
		return requests.filter((request) => operation === undefined || request.operation === operation);
	}

	async clearRequests(): Promise<void> {
		await this.request<null>('DELETE', 'requests');
	}

	/** State as it is now; the bytes of uploads stay in the other process. */
	async state(): Promise<ServiceState> {
		return await this.request<ServiceState>('GET', 'state');
	}

	async injectFault(fault: Fault): Promise<void> {
		await this.request<null>('POST', 'faults', fault);
	}

	async seedEvents(count: number): Promise<LiveEvent[]> {
		return (await this.request<{ events: LiveEvent[] }>('POST', 'seeds', { events: count })).events;
	}

	private async request<T>(method: string, path: string, body?: object): Promise<T> {
		const response = await fetch(`${this.controlUrl}/${path}`, {
			method,
			...(body && { body: JSON.stringify(body) }),
		});
		const result: unknown = await response.json();
		if (!response.ok) throw new Error(`Control ${method} ${path}: ${JSON.stringify(result)}`);
		// The control server comes from the same folder and sends these types; checking them again would prove nothing.
		return result as T;
	}
}

export interface ServiceProcess {
	remote: RemoteService;
	credential: ServiceCredential;
	stop(): Promise<void>;
}

/** Runs the service in a process of its own, which ends with stop() or with this process. */
export async function startServiceProcess(settings: Partial<ServiceSettings> = {}): Promise<ServiceProcess> {
	const child = fork(join(__dirname, 'main.ts'), [JSON.stringify(settings)], {
		execArgv: ['--import', 'tsx'],
		// tsx is found from the repository's root.
		cwd: join(__dirname, '..', '..'),
	});
	const ended = once(child, 'exit');
	const started = await Promise.race([once(child, 'message'), ended.then(() => undefined)]);
	if (started === undefined)
		throw new Error('The fake service ended before it had started; its message is above');
	// What main.ts sends.
	const [{ credential, controlUrl }] = started as [{ credential: ServiceCredential; controlUrl: string }];
	return {
		remote: new RemoteService(controlUrl),
		credential,
		stop: async () => {
			child.disconnect();
			await ended;
		},
	};
}
