import type { IncomingHttpHeaders } from 'node:http';

import type { OperationName } from './operations';

export interface FormFile {
	field: string;
	filename: string;
	contentType: string;
	bytes: Buffer;
}

/** One request as it arrived. Its entry is there from the first header on and grows while the body comes in. */
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
	/** Body bytes that arrived, also those that the service threw away. */
	bodyBytes: number;
	/** undefined while unanswered, and for ever when a fault ate the answer. */
	status: number | undefined;
	/** Why the service refused it, more exactly than the answer's `error`. */
	reason?: string;
	/** Arrival, milliseconds since the epoch. */
	at: number;
	uploadId?: string;
	/** The Upload-Offset header of a PATCH, when it was a number. */
	uploadOffset?: number;
}

interface Waiter {
	condition: () => boolean;
	resolve: () => void;
}

/** Keeps the requests in order of arrival and wakes whoever waits for something to happen at the service. */
export class Recording {
	readonly requests: RecordedRequest[] = [];

	private waiters: Waiter[] = [];

	add(request: RecordedRequest): void {
		this.requests.push(request);
		this.changed();
	}

	/** Resolves once `condition` holds; it is tried at every arrival, body chunk and answer. */
	until(condition: () => boolean): Promise<void> {
		if (condition()) return Promise.resolve();
		return new Promise((resolve) => this.waiters.push({ condition, resolve }));
	}

	changed(): void {
		if (this.waiters.length === 0) return;
		const waiting = this.waiters;
		this.waiters = waiting.filter(({ condition }) => !condition());
		for (const waiter of waiting) if (!this.waiters.includes(waiter)) waiter.resolve();
	}
}
