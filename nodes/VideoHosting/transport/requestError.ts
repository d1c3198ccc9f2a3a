import { isRecord } from '../shared/jsonFields';
import { excerpt } from '../shared/text';
import { CREDENTIAL_TYPE, type ServiceContext } from './credential';
import { isNotFound, isTokenRejected } from './errorMeaning';
import { responseMeaning, TRY_LATER, type Meaning } from './errorTexts';
import { unreadableBody } from './failure';
import { around, asSentence, errorText, ServiceError } from './serviceError';
import { isRepeatable, type ServiceResponse, type ServiceRequest } from './serviceRequest';

/**
 * The error of a response that is not 2xx, reports a failure in its JSON, or cannot be read; undefined for a success. The message is the
 * service's, the advice says what to do.
 */
export function failureIn(
	context: ServiceContext,
	baseUrl: string,
	serviceRequest: ServiceRequest,
	response: ServiceResponse,
): ServiceError | undefined {
	const meaning = responseMeaning(response, baseUrl, serviceRequest);
	if (meaning) {
		const error = requestError(context, serviceRequest, meaning);
		return error.advice === '' ? around(error, { advice: adviceFor(context, serviceRequest, error) }) : error;
	}
	const unreadable = unreadableBody(response.body);
	if (unreadable === undefined) return undefined;
	return unreadableResponseError(context, serviceRequest, `The service returned ${unreadable}.`);
}

/** The service may forget what is complete (docs/promises.md). */
export const UNKNOWN_UPLOAD_ADVICE =
	'It may be complete: look for the video before you upload the file again.';

/** What to do after a rejected request. */
function adviceFor(context: ServiceContext, { body, method }: ServiceRequest, error: ServiceError): string {
	const isDialog = context.getNode().type === CREDENTIAL_TYPE;
	if (isNotFound(error) && method === 'HEAD') return UNKNOWN_UPLOAD_ADVICE;
	if (isNotFound(error) && /\bplan\b/i.test(error.message))
		return `Check Plan ID${isDialog ? '' : ' in the credential or in the options of this node'}.`;
	if (isNotFound(error)) return 'It may have been deleted, or belong to another plan or application.';
	if (!isTokenRejected(error)) return 'Check the values that were entered.';
	return isRecord(body) && body.secret !== undefined
		? 'Check the option Secret, which may be empty, and that the account in the credential may use this plan.'
		: 'Check email, password and application ID in the credential, and that they may use this plan.';
}

/**
 * The error for a 2xx response without the documented content.
 *
 * @param missing one full sentence
 */
export function unreadableResponseError(
	context: ServiceContext,
	serviceRequest: ServiceRequest,
	missing: string,
): ServiceError {
	return requestError(context, serviceRequest, {
		message: missing,
		advice: TRY_LATER,
		facts: { status: 200, outcome: 'unknown', kind: 'passes' },
	});
}

export const CHECK_FIRST = 'It may have been carried out: check that before you run this again.';

/** The error for one request: at most 300 characters of the message, without the secrets that the run has sent. */
export function requestError(
	context: ServiceContext,
	serviceRequest: ServiceRequest,
	{ message, advice = '', facts }: Meaning,
): ServiceError {
	const { method, path } = serviceRequest;
	const mayBeCarriedOut = facts.outcome === 'unknown' && !isRepeatable(serviceRequest);
	// Before it is shortened: a part of a secret is not recognized.
	const shown = (text: string) => excerpt(errorText(context, text));
	const request = shown(`${method} /v1/${path}`);
	const toDo = mayBeCarriedOut ? CHECK_FIRST : advice;
	return new ServiceError(asSentence(shown(message)), toDo, { ...facts, request }, { mayBeCarriedOut });
}
