import type { INode, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { serviceCredential, storedCredential, tokensReadFor, type ServiceContext } from './credential';
import { networkErrorMessage, networkCode } from './networkErrors';
import { retryAfterMs } from './pause';
import { isRecord } from './jsonFields';
import type { ServiceResponse, ServiceRequest } from './serviceRequest';

/** What the user can do about a status; docs/api-reference.md#errors explains 400, 404, 429 and 500. */
const ADVICE: Record<string, string> = {
	'3': 'The Base URL in the credential is not the final address of the service. Enter the address that it redirects to.',
	'400': 'Check the values of this operation.',
	'401': 'Check email, password and application ID in the credential.',
	'403': 'Check email, password and application ID in the credential, and that they may use this plan.',
	'404': 'It may have been deleted, or belong to another plan or application.',
	'409': 'Someone else has changed it in the meantime. Read it again and retry.',
	'413': 'The service, or a proxy in front of it, rejects a request of this size.',
	'429': 'Wait a while and run this again, or turn on Retry On Fail in the settings of the node.',
	'4': 'Check the values of this operation.',
	'5': 'The service has a problem. Try again later, or turn on Retry On Fail in the settings of the node.',
};

/** The response inside an error of n8n's HTTP helpers, which keep axios' error as the cause. */
export function responseOf(error: unknown): ServiceResponse | undefined {
	const response =
		axiosResponseOf(error) ?? (error instanceof Error ? axiosResponseOf(error.cause) : undefined);
	if (!response || typeof response.status !== 'number') return undefined;
	return {
		statusCode: response.status,
		// axios' AxiosHeaders: an object with lower-case names.
		headers: (response.headers ?? {}) as ServiceResponse['headers'],
		body: response.data,
	};
}

function axiosResponseOf(error: unknown): Record<string, unknown> | undefined {
	return isRecord(error) && isRecord(error.response) ? error.response : undefined;
}

/**
 * The error for a response that is not 2xx: the service's error message, then what to do about it. Status, method and path
 * are in the description. `failure` shows n8n's poll scheduler whether waiting helps.
 */
export async function errorResponseError(
	context: ServiceContext,
	serviceRequest: ServiceRequest,
	response: ServiceResponse,
): Promise<NodeApiError> {
	const status = String(response.statusCode);
	const advice =
		proxyAdvice(response) ??
		planAdvice(serviceRequest, response) ??
		ADVICE[status] ??
		ADVICE[status.charAt(0)] ??
		'';
	return await apiError(context, serviceRequest, {
		message: `${asSentence(serviceMessage(response))} ${advice}`.trim(),
		description: `The service returned ${status} for ${serviceRequest.method} /v1/${serviceRequest.path}.`,
		httpCode: status,
		failure: failureOf(response),
	});
}

/** What to do about a 404 that is about the plan of the request. Undefined for other responses. */
function planAdvice({ path, query, body }: ServiceRequest, response: ServiceResponse): string | undefined {
	if (response.statusCode !== 404 || !/\bplan\b/i.test(serviceMessage(response))) return undefined;
	const payload = isRecord(body) && isRecord(body.payload) ? body.payload : body;
	const inPath = /^videos\/(?:deleteVideo|uploadThumb|editVideo)\/[^/]+\/([^/]+)$/.exec(path)?.[1];
	const planId =
		(isRecord(payload) ? payload.planId : undefined) ??
		query?.planId ??
		(inPath === undefined ? undefined : decodeURIComponent(inPath));
	if (typeof planId !== 'string') return undefined;
	return `Check the Plan ID "${planId}" in this node, or the Default Plan ID in its credential.`;
}

/**
 * What to do about an error response that is a web page. The service's error responses are JSON (docs/api-reference.md#errors),
 * so a proxy or firewall sent it. Undefined for other responses.
 */
export function proxyAdvice({ statusCode, body }: ServiceResponse): string | undefined {
	if (![401, 403, 404, 405, 407].includes(statusCode) || !isWebPage(body)) return undefined;
	return 'A proxy or firewall may have sent it. Ask its administrator to let n8n reach the service, and check the Base URL in the credential.';
}

/**
 * The error for a request without a response: which host, what happened, what to do.
 *
 * @param isCancelled the execution was cancelled, which ends its request
 */
export async function noResponseError(
	context: ServiceContext,
	serviceRequest: ServiceRequest,
	error: unknown,
	isCancelled = false,
): Promise<NodeApiError> {
	const code = networkCode(error);
	const isNetworkError = code !== undefined && !isCancelled;
	const explained = isCancelled || isNetworkError ? undefined : descriptionOf(error);
	const explanation = explained === undefined ? '' : `${asSentence(explained)} `;
	return await apiError(context, serviceRequest, {
		message: isCancelled
			? 'The execution was cancelled before the service responded.'
			: code !== undefined
				? networkErrorMessage((await serviceCredential(context)).baseUrl, code)
				: // n8n rejected the request (domain limits, SSRF guard), or signing in failed.
					asSentence(firstLine(error instanceof Error ? error.message : String(error))),
		description: `${explanation}No response to ${serviceRequest.method} /v1/${serviceRequest.path}.`,
		httpCode: code,
		failure: isNetworkError ? { cause: 'temporarily-unavailable' } : failureOfError(error),
	});
}

/** The description of an error that n8n itself threw: its SSRF guard explains there what an administrator can do. */
export function descriptionOf(error: unknown): string | undefined {
	for (const source of [error, error instanceof Error ? error.cause : undefined]) {
		if (isRecord(source) && typeof source.description === 'string') return source.description;
	}
	return undefined;
}

/**
 * Whether a retry can help: no response, 429, or 5xx. The `failure` of such an error has a temporary cause.
 */
export function isTransient(error: unknown): error is NodeApiError {
	return (
		error instanceof NodeApiError &&
		(error.failure?.cause === 'temporarily-unavailable' || error.failure?.cause === 'rate-limited')
	);
}

/** Whether an error stands for a response whose HTTP status, in digits, matches. */
export function hasStatus(error: unknown, status: RegExp): boolean {
	return error instanceof NodeApiError && status.test(error.httpCode ?? '');
}

/** An error that n8n shows as it is: a node error unchanged, any other wrapped in a NodeOperationError. */
export function toNodeError(context: ServiceContext, error: unknown): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	return new NodeOperationError(context.getNode(), error instanceof Error ? error : String(error));
}

/** The error for a 2xx response without the documented content; `missing` is one full sentence. */
export async function unreadableResponseError(
	context: ServiceContext,
	serviceRequest: ServiceRequest,
	missing: string,
): Promise<NodeApiError> {
	return await apiError(context, serviceRequest, {
		message: missing,
		description: `Response to ${serviceRequest.method} /v1/${serviceRequest.path}.`,
		failure: { cause: 'temporarily-unavailable' },
	});
}

type ErrorParts = {
	message: string;
	description: string;
	httpCode?: string;
	failure?: NodeApiError['failure'];
};

async function apiError(
	context: ServiceContext,
	serviceRequest: ServiceRequest,
	{ message, description, httpCode, failure }: ErrorParts,
): Promise<NodeApiError> {
	const hide = await secretsOf(context, serviceRequest);
	const error = plainError(context.getNode(), {
		message: hide(message),
		description: hide(description),
		httpCode,
		failure,
	});
	if (serviceRequest.itemIndex !== undefined) error.context.itemIndex = serviceRequest.itemIndex;
	return error;
}

/**
 * An error with exactly these texts. It is not built from axios' error, which contains the Authorization header and the
 * request's body.
 */
export function plainError(
	node: INode,
	{ message, description, httpCode, failure }: ErrorParts,
): NodeApiError {
	const plain: JsonObject = { message, ...(httpCode === undefined ? {} : { httpCode }) };
	const error = new NodeApiError(node, plain, { httpCode, ...(failure ? { failure } : {}) });
	// The constructor replaces both with its generic texts for the status.
	error.message = message;
	error.description = description;
	error.messages = [];
	// n8n before 2.38 ignores the option.
	if (failure) error.failure = failure;
	return error;
}

/** A function that removes every secret of this request from a text: a service may echo what it received. */
async function secretsOf(
	context: ServiceContext,
	serviceRequest: ServiceRequest,
): Promise<(text: string) => string> {
	const { password } = await storedCredential(context);
	const { body } = serviceRequest;
	const planSecret = isRecord(body) ? body.secret : undefined;
	const secrets = [password, planSecret, ...tokensReadFor(context)].filter(
		(secret): secret is string => typeof secret === 'string' && secret.length > 3,
	);
	return (text) => secrets.reduce((cleaned, secret) => cleaned.split(secret).join('[hidden]'), text);
}

/**
 * The service's error message in a response body: `{ "error": string }` in the reference. Gateways in front of the service
 * return a web page, other JSON, plain text or nothing.
 */
export function serviceMessage({ statusCode, body }: Pick<ServiceResponse, 'statusCode' | 'body'>): string {
	if (isRecord(body)) {
		for (const message of [body.error, body.message, isRecord(body.error) ? body.error.message : undefined]) {
			if (typeof message === 'string' && message.trim() !== '') return firstLine(message);
		}
		return `The service returned ${statusCode} without a message`;
	}
	if (typeof body === 'string' && body.trim() !== '') {
		return isWebPage(body)
			? `The service returned ${statusCode} with a web page instead of JSON`
			: firstLine(body);
	}
	return `The service returned ${statusCode} without a message`;
}

/** Whether a body that should be JSON is a web page, as proxies and gateways send it. */
export function isWebPage(body: unknown): boolean {
	return typeof body === 'string' && /^\s*<(!doctype|html|head|body|\?xml)/i.test(body);
}

/** What an error response means for n8n's poll scheduler: how long to wait, or that only the user can fix it. */
export function failureOf(
	response: Pick<ServiceResponse, 'statusCode' | 'headers'>,
): NodeApiError['failure'] {
	const wait = retryAfterMs(response.headers['retry-after']);
	const hint = wait === undefined ? {} : { retryAfterMs: wait };
	if (response.statusCode === 429) return { cause: 'rate-limited', ...hint };
	if (response.statusCode >= 500) return { cause: 'temporarily-unavailable', ...hint };
	if (response.statusCode === 401 || response.statusCode === 403) return { cause: 'credential-invalid' };
	return { cause: 'configuration-invalid' };
}

/** The `failure` that signing in set: n8n passes its NodeApiError on unchanged. */
function failureOfError(error: unknown): NodeApiError['failure'] {
	return error instanceof NodeApiError ? error.failure : undefined;
}

function firstLine(text: string): string {
	const line = text.trim().split('\n', 1)[0] ?? '';
	return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}

/** A text with a period at its end, unless it has another end mark. */
export function asSentence(text: string): string {
	return /[.!?…]$/.test(text) ? text : `${text}.`;
}
