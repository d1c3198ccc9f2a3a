import { z } from 'zod';

import { operationNames, type OperationName } from './operations';

const operation = z.enum(operationNames);
const bytes = z.number().int().nonnegative();

const target = {
	on: z.union([operation, z.array(operation)]),
	/** How many matching requests fail. */
	times: z.number().int().positive().default(1),
	/** How many matching requests pass first. */
	skip: z.number().int().nonnegative().default(0),
	/** Of the matching requests after those, the first of each `every` fails. */
	every: z.number().int().positive().default(1),
};

/**
 * Body bytes accepted before the fault occurs; they count as received. By default none on a PATCH, the whole body
 * elsewhere. A PATCH with fewer bytes does not match.
 */
const afterBytes = bytes.optional();

export const faultSchema = z.discriminatedUnion('kind', [
	/** The connection is reset. */
	z.object({ kind: z.literal('reset'), ...target, afterBytes }).strict(),
	/** The connection stays open, nothing more is read, and no response is sent. */
	z.object({ kind: z.literal('hang'), ...target, afterBytes }).strict(),
	/** Any status, with `{ error }`, or with `body` as it is (an HTML page, garbage, or nothing: ''). */
	z
		.object({
			kind: z.literal('status'),
			...target,
			afterBytes,
			status: z.number().int().min(100).max(599),
			error: z.string().optional(),
			headers: z.record(z.string()).optional(),
			body: z.string().optional(),
		})
		.strict(),
	/** The operation is carried out, then the connection is reset instead of sending a response. */
	z.object({ kind: z.literal('lostResponse'), ...target }).strict(),
	/** The upload named in the path no longer exists. */
	z.object({ kind: z.literal('forget'), ...target }).strict(),
	/** The upload loses its last bytes before the operation; needs the setting keepBytes. */
	z.object({ kind: z.literal('loseBytes'), ...target, bytes }).strict(),
	/** A PATCH stores only the first `bytes` of those sent and returns 201. */
	z.object({ kind: z.literal('storeFewer'), ...target, bytes }).strict(),
	/** The token of this request is rejected from this request on. */
	z.object({ kind: z.literal('expireToken'), ...target, afterBytes }).strict(),
	/** The operation is carried out, and the body of its response sent byte by byte, one each `ms` milliseconds. */
	z.object({ kind: z.literal('trickle'), ...target, ms: z.number().int().positive() }).strict(),
	/** The request is handled `ms` milliseconds later; added to any other fault. */
	z.object({ kind: z.literal('delay'), ...target, ms: z.number().int().nonnegative() }).strict(),
	z
		.object({ kind: z.literal('redirect'), ...target, to: z.string(), status: z.number().int().default(307) })
		.strict(),
]);

export type Fault = z.input<typeof faultSchema>;
type InjectedFault = z.output<typeof faultSchema>;
export type ActiveFault = Exclude<InjectedFault, { kind: 'delay' }>;

export interface FaultAction {
	delayMs: number;
	fault: ActiveFault | undefined;
}

/** The faults that are injected and not yet used up. */
export class Faults {
	private pending: InjectedFault[] = [];

	/** Throws a ZodError when the fault is not well formed. */
	injectFault(fault: Fault): void {
		this.pending.push(faultSchema.parse(fault));
	}

	clear(): void {
		this.pending = [];
	}

	/**
	 * Returns what happens to the request that has just arrived. Of several faults that are due, the one injected first
	 * occurs and the others wait; each fault counts the request against its own `skip`.
	 */
	actionFor(name: OperationName | 'unknown', contentLength: number): FaultAction {
		const action: FaultAction = { delayMs: 0, fault: undefined };
		for (const fault of this.pending) {
			if (!matches(fault, name, contentLength)) continue;
			if (fault.skip > 0) {
				fault.skip -= 1;
			} else if (fault.kind === 'delay') {
				action.delayMs += fault.ms;
				fault.times -= 1;
				fault.skip = fault.every - 1;
			} else if (action.fault === undefined) {
				action.fault = { ...fault };
				fault.times -= 1;
				fault.skip = fault.every - 1;
			}
		}
		this.pending = this.pending.filter((fault) => fault.times > 0);
		return action;
	}
}

function matches(fault: InjectedFault, name: OperationName | 'unknown', contentLength: number): boolean {
	const named: ReadonlyArray<OperationName | 'unknown'> =
		typeof fault.on === 'string' ? [fault.on] : fault.on;
	if (!named.includes(name)) return false;
	const wanted = 'afterBytes' in fault ? (fault.afterBytes ?? 0) : 0;
	return name !== 'uploadPatch' || contentLength >= wanted;
}
