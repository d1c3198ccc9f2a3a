import type { IncomingHttpHeaders } from 'node:http';

import type { OperationName } from './operations';

/** A part of a form; without a file name it has the name ''. */
export interface FormFile {
	field: string;
	filename: string;
	contentType: string;
	bytes: Buffer;
}

/** One request as it arrived. Its entry is there from the first header on. */
export interface RecordedRequest {
	operation: OperationName | 'unknown';
	method: string;
	/** As sent, percent-encoding included, without the query. */
	path: string;
	query: Record<string, string>;
	headers: IncomingHttpHeaders;
	/** Parsed JSON body; undefined when there was none or it was no JSON. */
	body: unknown;
	form?: FormFile[];
	/** undefined until the response is sent; stays undefined when a fault suppresses the response. */
	status: number | undefined;
	/** Why the service rejected it, more precise than the response's `error`. */
	reason?: string;
	/** Arrival, milliseconds since the epoch. */
	at: number;
	/** Of the upload that the path names, or that the request created. */
	uploadId: string | undefined;
}

/** Keeps the requests in order of arrival and resolves the promises of `until`. */
export class Recording {
	readonly requests: RecordedRequest[] = [];

	private waiters: Array<{ condition: () => boolean; resolve: () => void }> = [];

	add(request: RecordedRequest): void {
		this.requests.push(request);
		this.changed();
	}

	/** Resolves once `condition` holds; it is checked at every request, body chunk and response. */
	until(condition: () => boolean): Promise<void> {
		if (condition()) return Promise.resolve();
		return new Promise((resolve) => this.waiters.push({ condition, resolve }));
	}

	changed(): void {
		const waiting = this.waiters;
		this.waiters = waiting.filter(({ condition }) => !condition());
		for (const waiter of waiting) if (!this.waiters.includes(waiter)) waiter.resolve();
	}
}
