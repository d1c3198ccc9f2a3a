import type { Call, Outcome, RecordedRequest } from './call';
import type { OperationName } from './operations';
import { useToken } from './tokens';

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

export type PendingFault = Fault & Required<Pick<Target, 'times' | 'skip'>>;

/**
 * Takes from the faults what happens to the request that has just arrived. Of several that are due, the one injected first occurs and
 * the others wait; each counts the request against its own `skip`.
 */
export function takeFault(faults: PendingFault[], request: RecordedRequest) {
	let delayMs = 0;
	let fault: ActiveFault | undefined;
	for (const pending of faults) {
		if (pending.times === 0 || !matches(pending, request)) continue;
		if (pending.skip > 0) {
			pending.skip -= 1;
			continue;
		}
		if (pending.kind === 'delay') delayMs += pending.ms;
		else if (fault === undefined) fault = pending;
		else continue;
		pending.times -= 1;
	}
	return { delayMs, fault };
}

function matches(fault: Fault, { operation, query, headers }: RecordedRequest): boolean {
	const names: ReadonlyArray<OperationName | 'unknown'> = [fault.on].flat();
	const hasQuery = Object.entries(fault.query ?? {}).every(([name, value]) => query[name] === value);
	const hasBytes =
		operation !== 'uploadPatch' || Number(headers['content-length'] ?? 0) >= afterBytesOf(fault);
	return names.includes(operation) && hasQuery && hasBytes;
}

/** How many bytes of a PATCH are stored before its fault occurs. */
export function afterBytesOf(fault: Fault | undefined): number {
	return fault !== undefined && 'afterBytes' in fault ? (fault.afterBytes ?? 0) : 0;
}

/** Applies the fault of a request. Returns the outcome that replaces the rest of the operation, or undefined. */
export function applyFault(call: Call): Outcome | undefined {
	const { request, fault, state } = call;
	switch (fault?.kind) {
		case 'reset':
			return 'reset';
		case 'hang':
			return 'silence';
		case 'status': {
			const { status, headers, error = `Injected fault ${status}`, body = { error } } = fault;
			return { status, headers, ...(typeof body === 'string' ? { text: body } : { json: body }) };
		}
		case 'redirect':
			return { status: fault.status ?? 307, headers: { Location: fault.to } };
		case 'forget':
			state.uploads = state.uploads.filter(({ id }) => id !== request.uploadId);
			return undefined;
		case 'expireToken':
			call.tokens.delete(request.headers.authorization ?? '');
			// Throws, since the token is no longer good.
			useToken(call);
			return undefined;
		default:
			return undefined;
	}
}
