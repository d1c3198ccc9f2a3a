import { NodeApiError, NodeOperationError, type IDataObject, type INode } from 'n8n-workflow';

import { isRecord } from '../shared/jsonFields';
import { errorMessage, excerpt } from '../shared/text';
import { hideSecrets } from './secrets';

/** What is known of a request that failed. `errorMeaning.ts` asks. */
export interface Facts {
	/** The HTTP status, also one that the JSON of a 2xx names; undefined without a response. */
	status?: number;
	/** The code of a network error, such as `ECONNRESET`. */
	code?: string;
	/**
	 * Whether it left n8n; if so, whether the response says that it was not carried out. Unknown: no response, one that cannot be read, or
	 * a 5xx that is not the service's own.
	 */
	outcome: 'not sent' | 'rejected' | 'unknown';
	/** Whether the service itself says so: no web page, text or empty body of something between, and no error of the network. */
	isOwn?: boolean;
	/** What it means for another try: another upload has the slot, a later request may be processed, it may pass, none helps. */
	kind: 'slot' | 'rate limit' | 'passes' | 'final';
	/** What the service asks to wait, in milliseconds. */
	retryAfterMs?: number;
	/** Method and path. */
	request?: string;
}

/** What else an error says. */
interface Details {
	/** The error that it is about. */
	cause?: unknown;
	/** Fields of the error item; an error workflow finds them in `context.output`. */
	output?: IDataObject;
	/** Whether a retry must not repeat what it is about: it was or may have been carried out, such as a POST without a response. */
	mayBeCarriedOut?: boolean;
	/** Whether a request had further tries, or its kind of error has none. */
	wasRetried?: boolean;
}

/** What happened, and what to do about it. Rooms throw it, and {@link toN8nError} makes n8n's error of it. */
export class OperationError extends Error {
	/** @param advice what to do, as a sentence; '' where there is nothing to do */
	constructor(
		message: string,
		readonly advice = '',
		readonly details: Details = {},
	) {
		super(message, { cause: details.cause });
	}
}

/** A request that failed. Transport throws it. */
export class ServiceError extends OperationError {
	constructor(
		message: string,
		advice: string,
		readonly facts: Facts,
		details: Details = {},
	) {
		super(message, advice, details);
	}
}

/** What a new error adds to the one that it is about; `before`: in front of its message. */
type Added = Details & { before?: string; message?: string; advice?: string };

/** A new error around another one, with the same facts. */
export function around(error: ServiceError, added?: Added): ServiceError;
export function around(error: unknown, added?: Added): OperationError;
export function around(error: unknown, { before, message, advice, ...added }: Added = {}): OperationError {
	const known = error instanceof OperationError ? error : undefined;
	const said = [before, message ?? errorMessage(error)].filter((part) => part !== undefined).join(' ');
	const toDo = advice ?? known?.advice ?? descriptionOf(error) ?? '';
	const details = { ...known?.details, ...added, cause: error };
	if (error instanceof ServiceError) return new ServiceError(said, toDo, error.facts, details);
	return new OperationError(said, toDo, details);
}

/** Throws a new error around another one: for `catch`. */
export function rethrow(added: Added) {
	return (error: unknown): never => {
		throw around(error, added);
	};
}

/** What the description of an error says to do: n8n's SSRF guard explains there what an administrator can do. */
export function descriptionOf(error: unknown): string | undefined {
	const descriptions = withCause(error).map(({ description }) => description);
	return descriptions.find((description) => typeof description === 'string');
}

/** An error and what caused it: n8n keeps axios' error as the cause of its own. */
export function withCause(error: unknown) {
	return [error, error instanceof Error ? error.cause : undefined].filter(isRecord);
}

/** An error whose texts can be shown: without the secrets that the run has sent, and not longer than an excerpt where it is not ours. */
export function shownError(run: object, error: unknown): OperationError {
	const { advice, message } = around(error);
	const isOurs = error instanceof OperationError;
	// Before it is shortened: a part of a secret is not recognized.
	const shown = (text: string) => (isOurs ? errorText(run, text) : excerpt(errorText(run, text)));
	return around(error, { message: shown(message), advice: shown(advice) });
}

/** An error that n8n shows as it is. */
export type N8nError = NodeApiError | NodeOperationError;

/** n8n's error of one that a node or the credential's test ends with; n8n's own is made anew with the same texts. */
export function toN8nError(context: { getNode(): INode }, error: unknown, itemIndex?: number): N8nError {
	const shown = shownError(context, error);
	const { advice, details, message } = shown;
	const facts = shown instanceof ServiceError ? shown.facts : undefined;
	const description = advice || undefined;
	const made = facts
		? new NodeApiError(context.getNode(), {}, { message, description })
		: new NodeOperationError(context.getNode(), message, { description });
	if (itemIndex !== undefined) made.context.itemIndex = itemIndex;
	if (details.output) made.context.output = details.output;
	// The constructor replaces a message that contains a network code (n8n-workflow dist/cjs/errors/abstract/node.error.js,
	// COMMON_ERRORS), and in n8n before 2.38 it ignores `failure`.
	Object.assign(made, { message, description });
	return facts ? Object.assign(made, n8nFacts(facts)) : made;
}

/** What n8n shows under the error's details, and `failure` for its poll scheduler (docs/n8n-internals.md#nodeapierror). */
function n8nFacts({ code, kind, request, retryAfterMs, status }: Facts) {
	const cause = kind === 'passes' ? 'temporarily-unavailable' : 'rate-limited';
	return {
		httpCode: (status ?? code)?.toString() ?? null,
		messages: request === undefined ? [] : [request],
		failure: kind === 'final' ? undefined : { cause, retryAfterMs },
	};
}

/**
 * A text of an error: without the secrets that the run has sent, and without tags of HTML, which n8n renders in messages and descriptions
 * (docs/n8n-internals.md#html-in-texts). An escaped text would show its escapes elsewhere.
 *
 * @param run the context of the run, or the account of a sign-in
 */
export function errorText(run: object, text: string): string {
	return hideSecrets(run, text).replace(/<(?=[a-z/!])/gi, '‹');
}

/** Message and advice in one text, where n8n shows only one. */
export function withAdvice({ message, advice }: Pick<OperationError, 'message' | 'advice'>): string {
	return advice === '' ? message : `${asSentence(message)} ${advice}`;
}

/** A text with a period at its end, unless it has another end mark. */
export function asSentence(text: string): string {
	return /[.!?…]$/.test(text) ? text : `${text}.`;
}
