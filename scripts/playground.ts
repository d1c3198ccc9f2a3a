import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import type { RunningService, ServiceState } from '../test/fakeService';
import { freePort, requirePort } from '../test/n8n/ports';
import { SetupError } from '../test/n8n/progress';

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
 * The `ports` of the last start, so that credentials stay valid; free ones for the first, or when all is deleted.
 *
 * @throws SetupError when another program uses them, or when another `npm start` runs with the same playground
 */
export async function portsOf(ports: Ports | undefined, reset: boolean): Promise<Ports> {
	if (ports && (await isFakeService(ports)))
		throw new SetupError('Another npm start of this clone is running. End it with Ctrl-C there.');
	if (!ports || reset) return { service: await freePort(), control: await freePort() };
	const advice =
		'The credential in n8n contains this address. End that program, or begin anew: npm start -- --reset';
	return {
		service: await requirePort(ports.service, advice),
		control: await requirePort(ports.control, advice),
	};
}

async function isFakeService({ control }: Ports): Promise<boolean> {
	const signal = AbortSignal.timeout(1_000);
	const response = await fetch(`http://127.0.0.1:${control}/_control/state`, { signal }).catch(
		() => undefined,
	);
	return response?.ok === true;
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

/** What the last start has stored; nothing for the first. */
export function storedRecords(file: string): Partial<Stored> {
	// What keepRecords() wrote.
	return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Stored) : {};
}
