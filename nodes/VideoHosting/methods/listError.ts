import { NodeApiError, type ILoadOptionsFunctions } from 'n8n-workflow';

import { toNodeError } from '../transport/errors';

type Load<Args extends unknown[], Result> = (this: ILoadOptionsFunctions, ...args: Args) => Promise<Result>;

/**
 * A list of the editor whose errors give the same advice there as in a run. n8n sends the description of a NodeApiError alone to the
 * editor (n8n 2.41.1 dist/response-helper.js, sendErrorResponse), which splits a message at each hyphen and leaves the
 * hyphens out, so that a plan would be shown under another name (n8n-editor-ui 2.41.1, ResourceLocator.vue).
 *
 * @throws NodeApiError whose message has non-breaking hyphens
 */
export function withListErrors<Args extends unknown[], Result>(load: Load<Args, Result>): Load<Args, Result> {
	return async function (...args) {
		try {
			return await load.apply(this, args);
		} catch (error) {
			const failure = toNodeError(this, error);
			const shown = new NodeApiError(this.getNode(), { message: failure.message });
			// The constructor replaces both with generic texts.
			shown.message = failure.message.replace(/[-–—]/g, '\u2011');
			shown.description = failure.description;
			shown.httpCode = failure instanceof NodeApiError ? failure.httpCode : null;
			throw shown;
		}
	};
}
