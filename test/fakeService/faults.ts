import type { OperationName } from './operations';
import type { RecordedRequest } from './recording';

interface Target {
	on: OperationName | OperationName[];
	/** Only requests whose query has these values; all by default. */
	query?: Record<string, string>;
	/** How many matching requests fail; 1 by default. */
	times?: number;
	/** How many matching requests pass first; 0 by default. */
	skip?: number;
}

/** What each kind does, and when: README.md#faults. */
export type Fault = Target &
	(
		| { kind: 'reset' | 'hang' | 'expireToken'; afterBytes?: number }
		| ({ kind: 'status'; status: number; afterBytes?: number } & StatusFault)
		| { kind: 'lostResponse' | 'forget' }
		| { kind: 'storeFewer'; bytes: number }
		| { kind: 'trickle'; ms: number }
		| { kind: 'delay'; ms: number }
		| { kind: 'redirect'; to: string; status?: number }
	);

/** `{ error }`, or `body`: a text as it is (an HTML page, garbage, or nothing: ''), anything else as JSON. */
interface StatusFault {
	error?: string;
	headers?: Record<string, string>;
	body?: unknown;
}

export type ActiveFault = Exclude<Fault, { kind: 'delay' }>;

/** The faults that are injected and not yet used up. */
export class Faults {
	private pending: Array<Fault & Required<Pick<Target, 'times' | 'skip'>>> = [];

	injectFault(fault: Fault): void {
		this.pending.push({ times: 1, skip: 0, ...fault });
	}

	clear(): void {
		this.pending = [];
	}

	/**
	 * Returns what happens to the request that has just arrived. Of several faults that are due, the one injected first
	 * occurs and the others wait; each fault counts the request against its own `skip`.
	 */
	actionFor(request: Pick<RecordedRequest, 'operation' | 'query' | 'headers'>) {
		let delayMs = 0;
		let due: ActiveFault | undefined;
		for (const fault of this.pending) {
			if (!matches(fault, request)) continue;
			if (fault.skip > 0) fault.skip -= 1;
			else if (fault.kind === 'delay') {
				delayMs += fault.ms;
				fault.times -= 1;
			} else if (due === undefined) {
				due = fault;
				fault.times -= 1;
			}
		}
		this.pending = this.pending.filter(({ times }) => times > 0);
		return { delayMs, fault: due };
	}
}

function matches(
	fault: Fault,
	{ operation, query, headers }: Pick<RecordedRequest, 'operation' | 'query' | 'headers'>,
): boolean {
	const names: ReadonlyArray<OperationName | 'unknown'> = [fault.on].flat();
	const wanted = 'afterBytes' in fault ? (fault.afterBytes ?? 0) : 0;
	const hasQuery = Object.entries(fault.query ?? {}).every(([name, value]) => query[name] === value);
	const hasBytes = operation !== 'uploadPatch' || Number(headers['content-length'] ?? 0) >= wanted;
	return names.includes(operation) && hasQuery && hasBytes;
}
