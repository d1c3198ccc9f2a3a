import type { INodeParameters } from 'n8n-workflow';

import { errorMessage } from '../../nodes/VideoHosting/shared/text';
import { networkMeaning } from '../../nodes/VideoHosting/transport/errorTexts';
import { credentialStoreOf, executeForJson, type NodeRun } from '../../test/execution/executeNode';
import type { ServiceCredential } from '../../test/fakeService';
import { SetupError } from '../../test/n8n/progress';
import { startForwarder, type Exchange, type Row } from './forwarder';
import { readChecks } from './readChecks';
import { findingsOf } from './report';
import { WriteChecks } from './writeChecks';

export type Options = Partial<NodeRun> & { mayFail?: boolean };

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
	/** Why a row fails, with the status of its last response. */
	readonly failures = new Map<Row, { text: string; status: number }>();

	/** What is worth knowing of a row. */
	readonly notes: Array<[Row, string]> = [];

	/** Names of assumptions with what was seen, where no single response shows it. */
	readonly seen: Array<[string, string]> = [];

	/** What could not be deleted. */
	readonly left: string[] = [];

	/** Whether it only deletes what it has made. */
	isEnding = false;

	/** @param connection what the nodes connect to */
	constructor(
		readonly setup: Setup,
		readonly exchanges: Exchange[],
		readonly connection: Pick<NodeRun, 'service' | 'credentialStore'>,
	) {}

	/** Runs an operation, such as `event/get`. Its value is the JSON of its items. See {@link watch}. */
	async run(name: string, given: INodeParameters = {}, { mayFail, ...more }: Options = {}) {
		const [resource = '', operation = ''] = name.split('/');
		const parameters = { resource, operation, ...given };
		const run = { ...this.connection, timezone: 'UTC', parameters, ...more };
		return await this.watch(name, async () => await executeForJson(run), mayFail);
	}

	/**
	 * What becomes of something, and what is exchanged meanwhile.
	 *
	 * @param mayFail its error is no failure of the row that was requested last
	 * @throws the reason of the signal after Ctrl-C
	 */
	async watch<T>(title: string, work: () => Promise<T>, mayFail = false) {
		if (!this.isEnding) this.setup.signal.throwIfAborted();
		this.setup.progress(title);
		const before = this.exchanges.length;
		const [{ value, reason: error }] = (await Promise.allSettled([work()])) as [
			{ value?: T; reason?: unknown },
		];
		const exchanges = this.exchanges.slice(before);
		if (title === 'trigger') for (const exchange of exchanges) exchange.row = title;
		const last = exchanges.at(-1);
		if (!last) throw error;
		if (error !== undefined && !mayFail && !this.failures.has(last.row)) {
			const { message: lost } = networkMeaning(this.setup.account.baseUrl, last.error);
			const text = last.status === 0 ? lost : errorMessage(error);
			this.failures.set(last.row, { text, status: last.status });
		}
		return { value, error, exchanges, last };
	}
}
