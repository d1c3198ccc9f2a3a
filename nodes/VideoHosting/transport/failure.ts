import { AROUND } from '../shared/assumptions';
import { Fields, isRecord, isTooDeep, MOST_LEVELS } from '../shared/jsonFields';
import { isServiceRecord } from './response';
import type { ServiceResponse } from './serviceRequest';

/** Whether a response is a failure, whose, and what it says. What the error of a failure means, `errorMeaning.ts` says. */

/** Fields for what happened; of a list or an object below them, those of {@link REASONS}. */
const TEXTS = ['error', 'message', 'msg', 'errors', 'detail'];
const REASONS = [...TEXTS, 'reason'];

/**
 * What JSON of the service says in the fields of {@link TEXTS}, each text once. Anything else was sent by something between n8n and the
 * service.
 */
export function serviceText(body: unknown): string | undefined {
	if (!isRecord(body)) return undefined;
	const fields = new Fields(body);
	const texts = TEXTS.flatMap((name) => textsIn(fields.value(name)));
	// Each is a part of a sentence.
	const parts = new Set(texts.slice(0, 100).map((text) => text.replace(/\.$/, '')));
	return [...parts].join(': ') || undefined;
}

/** The texts in a field: a text, a list, or an object, of which those of {@link REASONS}, or else of all fields, count. */
function textsIn(value: unknown, levels = 4): string[] {
	if (typeof value === 'string') return [firstLine(value)].filter((text) => text !== '');
	if (levels === 0 || typeof value !== 'object' || value === null) return [];
	const fields = new Fields(value);
	const named = REASONS.map((name) => fields.value(name)).filter((text) => text !== undefined);
	return (named.length > 0 ? named : Object.values(value)).flatMap((inner) => textsIn(inner, levels - 1));
}

/**
 * The status of a failure; undefined for a success. A 2xx is a failure when its JSON says so, and has the status of an HTTP error that it
 * names. A record may have such fields of its own.
 */
export function failureStatus({ body, statusCode }: ServiceResponse): number | undefined {
	if (statusCode >= 300) return statusCode;
	if (!isRecord(body) || isServiceRecord(body)) return undefined;
	const codes = new Fields(body).numbers(AROUND.code.values).filter((code) => code >= 400);
	if (codes.length > 0) return codes.find((code) => code < 600) ?? statusCode;
	const { error, result, status, success } = body;
	const isFailure =
		success === false ||
		error === true ||
		textsIn(error).length > 0 ||
		[result, status].some((text) => /^(error|fail(ed|ure)?)$/i.test(String(text)));
	return isFailure ? statusCode : undefined;
}

/** The first line of a plain text; '' for a web page and for JSON. */
export function plainText(body: unknown): string {
	return typeof body === 'string' && !isWebPage(body) ? firstLine(body) : '';
}

/** The first line of a text. */
export function firstLine(text: string): string {
	return text.trim().split(/[\r\n]/, 1)[0] ?? '';
}

/** How a web page begins. */
export const WEB_PAGE = /^\s*<(!--|!doctype|html|head|body|\?xml)/i;

/** Whether a body that should be JSON is a web page, as proxies and gateways send it. */
export function isWebPage(body: unknown): boolean {
	return typeof body === 'string' && WEB_PAGE.test(body);
}

/**
 * Names a 2xx body that is not JSON, or is too deep, for a message. n8n returns a body that it cannot parse as text
 * (docs/n8n-internals.md#unparsed-json).
 */
export function unreadableBody(body: unknown): string | undefined {
	if (isWebPage(body)) return 'a web page';
	if (isTooDeep(body)) return `JSON with more than ${MOST_LEVELS} levels`;
	return typeof body === 'string' && /^\s*[{[]/.test(body) ? 'incomplete JSON' : undefined;
}
