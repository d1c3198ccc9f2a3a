import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { errorMessage } from '../../nodes/VideoHosting/shared/text';
import { networkMeaning } from '../../nodes/VideoHosting/transport/errorTexts';
import { credentialStoreOf, executeForJson, type NodeRun } from '../../test/execution/executeNode';
import type { ServiceCredential } from '../../test/fakeService';
import { SetupError } from '../../test/n8n/progress';
import { startForwarder, type Exchange, type Row } from './forwarder';
import { readChecks } from './readChecks';
import { findingsOf } from './report';
import { WriteChecks } from './writeChecks';

interface Setup {
	account: ServiceCredential;
	/** Whether to make, change and delete things; whether to start and end the event, too. */
	write: boolean;
	live: boolean;
	/** Is told what runs next. */
	progress: (step: string) => void;
	/** Ends the command, when what it has made is deleted. */
	signal: AbortSignal;
}

/**
 * Checks a service.
 *
 * @returns `error`: what ended it early, other than the signal
 * @throws SetupError when there is nothing to report
 */
export async function checkService(setup: Setup) {
	const { url, exchanges, close } = await startForwarder(setup.account.baseUrl);
	const service = { credential: { ...setup.account, baseUrl: url } };
	const check = new Check(setup, exchanges, { service, credentialStore: credentialStoreOf({ service }) });
	const checked = async () => {
		const trigger = await readChecks(check);
		if (trigger && setup.write) await new WriteChecks(check, trigger).run();
	};
	const error: unknown = await checked().catch((thrown: unknown) => thrown);
	await close();
	if (error instanceof SetupError) throw error;
	return { ...findingsOf(check), error };
}

/** Runs operations of the package, and keeps what becomes of each row that they request. */
export class Check {
	/** What is worth knowing of a row, and why it fails, with the status of the last response. */
	readonly results = new Map<Row, { notes: Set<string>; failure?: { text: string; status: number } }>();

	/** Names of assumptions with what was seen, where no single response shows it. */
	readonly seen: Array<[string, string]> = [];

	/** What could not be deleted. */
	readonly left: string[] = [];

	/** Whether it only deletes what it has made. */
	isEnding = false;

	/** Why the last step has failed. */
	error: unknown;

	/** @param connection what the nodes connect to */
	constructor(
		readonly setup: Setup,
		readonly exchanges: Exchange[],
		readonly connection: Pick<NodeRun, 'service' | 'credentialStore'>,
	) {}

	/**
	 * Runs an operation, such as `event/get`.
	 *
	 * @returns the JSON of its items
	 * @throws the reason of the signal after Ctrl-C
	 */
	async run(name: string, given: INodeParameters = {}, more: Partial<NodeRun> = {}): Promise<IDataObject[]> {
		if (!this.isEnding) this.setup.signal.throwIfAborted();
		this.setup.progress(name);
		const [resource = '', operation = ''] = name.split('/');
		const parameters = { resource, operation, ...given };
		return await executeForJson({ ...this.connection, timezone: 'UTC', parameters, ...more });
	}

	/** What becomes of something that has just begun, and what is exchanged meanwhile. */
	async attempt<T>(begun: Promise<T>) {
		const before = this.exchanges.length;
		const [{ value, reason }] = (await Promise.allSettled([begun])) as [{ value?: T; reason?: unknown }];
		if (reason !== undefined && reason === this.setup.signal.reason) throw reason;
		const exchanges = this.exchanges.slice(before);
		for (const { row } of exchanges) this.note(row);
		return { value, error: reason, exchanges, last: exchanges.at(-1) };
	}

	/** Runs an operation; undefined when it fails, see {@link watch}. */
	async step(name: string, given?: INodeParameters, more?: Partial<NodeRun>) {
		return await this.watch(this.run(name, given, more));
	}

	/** The value of something that has just begun. Its error is a failure of the last row that was requested. */
	async watch<T>(begun: Promise<T>): Promise<T | undefined> {
		const { value, error, last } = await this.attempt(begun);
		this.error = error;
		if (error === undefined) return value;
		if (last === undefined) throw error;
		const { message: lost } = networkMeaning(this.setup.account.baseUrl, last.error);
		const text = last.status === 0 ? lost : errorMessage(error);
		this.note(last.row).failure ??= { text, status: last.status };
		return undefined;
	}

	/** The result of a row, with another note. */
	note(row: Row, ...notes: string[]) {
		const result = this.results.get(row) ?? { notes: new Set() };
		for (const note of notes) result.notes.add(note);
		this.results.set(row, result);
		return result;
	}
}
