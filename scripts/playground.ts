import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import type { RunningService, ServiceState } from '../test/fakeService';
import { freePort, requirePort } from '../test/n8n/ports';

/** Ports of the fake service: its API, and what controls it. */
export interface Ports {
	service: number;
	control: number;
}

interface Stored {
	ports: Ports;
	state: ServiceState;
}

const saveEveryMilliseconds = 1_000;

/**
 * The ports of the last start, so that credentials stay valid; free ones for the first.
 *
 * @throws SetupError when another program uses them, which may be another `npm start` with the same playground
 */
export async function portsOf(file: string): Promise<Ports> {
	const ports = read(file)?.ports;
	if (!ports) return { service: await freePort(), control: await freePort() };
	const advice = `The fake service needs it again. End that program (another npm start?), or delete ${file}.`;
	return {
		service: await requirePort(ports.service, advice),
		control: await requirePort(ports.control, advice),
	};
}

/** The records of the last start; undefined for the first. */
export function storedRecords(file: string): ServiceState | undefined {
	const state = read(file)?.state;
	// Nothing is being received by a service that has just started.
	for (const upload of state?.uploads ?? []) upload.transferring = false;
	return state;
}

/** Stores the records whenever they have changed. Returns what ends that, after storing them a last time. */
export function keepRecords(file: string, { state }: RunningService, ports: Ports): () => void {
	let stored = '';
	const save = () => {
		const content = JSON.stringify({ ports, state } satisfies Stored);
		if (content === stored) return;
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(`${file}.new`, content);
		renameSync(`${file}.new`, file);
		stored = content;
	};
	save();
	const timer = setInterval(save, saveEveryMilliseconds);
	return () => {
		clearInterval(timer);
		save();
	};
}

function read(file: string): Stored | undefined {
	// What keepRecords() wrote.
	return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Stored) : undefined;
}
