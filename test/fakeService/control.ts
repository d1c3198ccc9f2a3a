import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import type { Fault } from './faults';
import { flagsFor } from './flags';
import type { ServiceCredential } from './index';
import type { OperationName } from './operations';
import type { FormFile, RecordedRequest } from './recording';
import type { EventStatus, ServiceSettings } from './settings';
import type { Folder, LiveEvent, ServiceState, Video } from './state';

export interface Seeds {
	events: number | Array<Partial<LiveEvent>>;
	folders: number | Array<Partial<Folder>>;
	videos: number | Array<Partial<Video>>;
}

interface SeededRecords {
	events: LiveEvent[];
	folders: Folder[];
	videos: Video[];
}

type RequestInJson = Omit<RecordedRequest, 'form'> & {
	form?: Array<Omit<FormFile, 'bytes'> & { bytes: string }>;
};

/** A fake service in another process, controlled over its control address. Every method rejects with the error of the control server. */
export class RemoteService {
	/** `controlUrl` as `npm run service` prints it: `http://127.0.0.1:<port>/_control`. */
	constructor(readonly controlUrl: string) {}

	async credential(): Promise<ServiceCredential> {
		return await this.request<ServiceCredential>('GET', 'credential');
	}

	/** Requests in order of arrival, of one operation or all. */
	async requests(operation?: OperationName): Promise<RecordedRequest[]> {
		const query = operation === undefined ? '' : `?operation=${operation}`;
		const requests = await this.request<RequestInJson[]>('GET', `requests${query}`);
		return requests.map(({ form, ...request }) => ({
			...request,
			// JSON has no undefined: an absent key stands for it.
			body: request.body,
			status: request.status,
			...(form && { form: form.map((part) => ({ ...part, bytes: Buffer.from(part.bytes, 'base64') })) }),
		}));
	}

	async clearRequests(): Promise<void> {
		await this.request<null>('DELETE', 'requests');
	}

	/** State as it is now; the bytes of uploads stay in the other process. */
	async state(): Promise<ServiceState> {
		return await this.request<ServiceState>('GET', 'state');
	}

	async settings(): Promise<ServiceSettings> {
		return await this.request<ServiceSettings>('GET', 'settings');
	}

	async change(settings: Partial<ServiceSettings>): Promise<void> {
		await this.request<null>('PATCH', 'settings', settings);
	}

	async injectFault(fault: Fault): Promise<void> {
		await this.request<null>('POST', 'faults', fault);
	}

	async clearFaults(): Promise<void> {
		await this.request<null>('DELETE', 'faults');
	}

	async seed(seeds: Partial<Seeds>): Promise<SeededRecords> {
		return await this.request<SeededRecords>('POST', 'seeds', seeds);
	}

	async setEventStatus(hash: string, status: EventStatus): Promise<void> {
		await this.request<null>('POST', 'event-status', { hash, status });
	}

	async expireTokens(): Promise<void> {
		await this.request<null>('POST', 'expire-tokens');
	}

	/** As RunningService.goDown() and comeBack(). */
	async goDown(): Promise<void> {
		await this.request<null>('POST', 'down');
	}

	async comeBack(): Promise<void> {
		await this.request<null>('POST', 'up');
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
	pid: number;
	stop(): Promise<void>;
}

/** Runs the service in a process of its own, which ends with stop() or with this process. */
export async function startServiceProcess(settings: Partial<ServiceSettings> = {}): Promise<ServiceProcess> {
	const args = ['--import', 'tsx', join(__dirname, 'main.ts'), '--json', ...flagsFor(settings)];
	const child = spawn(process.execPath, args, {
		// tsx is found from the repository's root.
		cwd: join(__dirname, '..', '..'),
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	const ended = once(child, 'exit');
	const lines = createInterface({ input: child.stdout });
	const started = await Promise.race([once(lines, 'line'), ended.then(() => undefined)]);
	const line: unknown = started?.[0];
	if (typeof line !== 'string' || child.pid === undefined) {
		throw new Error('The fake service ended before it had started; its message is above');
	}
	// main.ts prints this line and nothing else with --json.
	const { credential, controlUrl } = JSON.parse(line) as {
		credential: ServiceCredential;
		controlUrl: string;
	};
	return {
		remote: new RemoteService(controlUrl),
		credential,
		pid: child.pid,
		stop: async () => {
			child.stdin.end();
			await ended;
		},
	};
}
