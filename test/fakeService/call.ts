import type { IncomingHttpHeaders } from 'node:http';
import type { ZodType, ZodTypeDef } from 'zod';

import { badRequest, type ResponseSpec } from './responses';
import type { PathSegments } from './operations';
import type { FormFile } from './recording';
import type { ServiceSettings } from './settings';
import type { ServiceState } from './state';

/** A request that passed the checks common to all operations, with its body read. */
export interface Call {
	settings: ServiceSettings;
	state: ServiceState;
	segments: PathSegments;
	query: Record<string, string>;
	headers: IncomingHttpHeaders;
	/** Parsed JSON. */
	body: unknown;
	form: FormFile[];
	/** Application of the bearer token. */
	applicationId: string;
	/** `http://host:port` that the service listens on. */
	origin: string;
	/** Records of a page that a list response contains at most; see the fault `shortList`. */
	listAtMost: number;
	issueToken: (applicationId: string) => string;
}

export type Handler = (call: Call) => ResponseSpec | Promise<ResponseSpec>;

/** The value in the form that the schema requires; throws 400 `Bad Request` otherwise. `what` names it in the reason. */
export function required<Output>(
	schema: ZodType<Output, ZodTypeDef, unknown>,
	value: unknown,
	what: string,
): Output {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	const [issue] = result.error.issues;
	throw badRequest(`${[what, ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'not as documented'}`);
}
