import { z } from 'zod';

import { operationNames, type OperationName } from './operations';

const operation = z.enum(operationNames);
const bytes = z.number().int().nonnegative();

const target = {
	on: z.union([operation, z.array(operation)]),
	/** How many matching requests it strikes. */
	times: z.number().int().positive().default(1),
	/** How many matching requests pass first. */
	skip: z.number().int().nonnegative().default(0),
	/** Of the matching requests after those, it strikes the first of so many. */
	every: z.number().int().positive().default(1),
};

/**
 * Body bytes taken before the fault strikes; they count as received. Without it: none on a PATCH, the whole body
 * elsewhere. A PATCH with fewer bytes does not match.
 */
const afterBytes = bytes.optional();

export const faultSchema = z.discriminatedUnion('kind', [
	/** The connection is reset. */
	z.object({ kind: z.literal('reset'), ...target, afterBytes }).strict(),
	/** The connection stays open, nothing more is read and nothing is answered. */
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
	/** The operation is carried out, then the connection is reset instead of an answer. */
	z.object({ kind: z.literal('lostResponse'), ...target }).strict(),
	/** The upload named in the path no longer exists. */
	z.object({ kind: z.literal('forget'), ...target }).strict(),
	/** The upload loses its last bytes before the operation; needs the setting keepBytes. */
	z.object({ kind: z.literal('loseBytes'), ...target, bytes }).strict(),
	/** A PATCH takes only so many bytes of those sent and answers 201. */
	z.object({ kind: z.literal('takeFewer'), ...target, bytes }).strict(),
	/** The token of this request is refused, now and from now on. */
	z.object({ kind: z.literal('expireToken'), ...target, afterBytes }).strict(),
	/** The request is looked at only after so many milliseconds; comes on top of any other fault. */
	z.object({ kind: z.literal('delay'), ...target, ms: z.number().int().nonnegative() }).strict(),
	z
		.object({ kind: z.literal('redirect'), ...target, to: z.string(), status: z.number().int().default(307) })
		.strict(),
]);

export type Fault = z.input<typeof faultSchema>;
type OrderedFault = z.output<typeof faultSchema>;
export type ActiveFault = Exclude<OrderedFault, { kind: 'delay' }>;

export interface FaultAction {
	delayMs: number;
	fault: ActiveFault | undefined;
}

/** The faults ordered and not yet used up. */
export class Faults {
	private orders: OrderedFault[] = [];

	/** Throws a ZodError when the fault is not well formed. */
	injectFault(fault: Fault): void {
		this.orders.push(faultSchema.parse(fault));
	}

	clear(): void {
		this.orders = [];
	}

	/**
	 * What strikes the request that has just arrived. Of several faults that are due, the one ordered first strikes and
	 * the others wait; every order counts the request against its own `skip`.
	 */
	strike(name: OperationName | 'unknown', contentLength: number): FaultAction {
		const strike: FaultAction = { delayMs: 0, fault: undefined };
		for (const order of this.orders) {
			if (!matches(order, name, contentLength)) continue;
			if (order.skip > 0) {
				order.skip -= 1;
			} else if (order.kind === 'delay') {
				strike.delayMs += order.ms;
				order.times -= 1;
				order.skip = order.every - 1;
			} else if (strike.fault === undefined) {
				strike.fault = { ...order };
				order.times -= 1;
				order.skip = order.every - 1;
			}
		}
		this.orders = this.orders.filter((order) => order.times > 0);
		return strike;
	}
}

function matches(order: OrderedFault, name: OperationName | 'unknown', contentLength: number): boolean {
	const named: ReadonlyArray<OperationName | 'unknown'> =
		typeof order.on === 'string' ? [order.on] : order.on;
	if (!named.includes(name)) return false;
	const wanted = 'afterBytes' in order ? (order.afterBytes ?? 0) : 0;
	return name !== 'uploadPatch' || contentLength >= wanted;
}
