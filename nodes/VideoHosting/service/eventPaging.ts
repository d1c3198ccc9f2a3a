/** What is known about the event pages of one service. */
export interface EventPaging {
	/** The number of the first page, once a response has shown it beyond doubt. */
	firstNumber?: 0 | 1;
	/** The largest page size that the service accepted, in records. */
	acceptedSize?: number;
	/** The smallest page size that the service rejected while it accepted a smaller one, in records. */
	rejectedSize?: number;
}

/** Page sizes to fall back to; bounds are not documented (docs/api-reference.md#limits). */
const SMALLER_SIZES = [50, 20, 10];

/** By Base URL. All plans and credentials of a service are paged alike, so this is kept as long as the process runs. */
const pagings = new Map<string, EventPaging>();

/** What this process knows about the event pages of the service at a Base URL; the caller updates it. */
export function eventPagingAt(baseUrl: string): EventPaging {
	const paging = pagings.get(baseUrl) ?? {};
	pagings.set(baseUrl, paging);
	return paging;
}

/** The page sizes to try in this order: what is wanted, or what is known to be accepted, then smaller ones. */
export function pageSizesToTry(
	{ acceptedSize = 0, rejectedSize = Infinity }: EventPaging,
	wanted: number,
): number[] {
	if (wanted <= acceptedSize) return [wanted];
	if (wanted >= rejectedSize && acceptedSize > 0) return [acceptedSize];
	return [wanted, ...SMALLER_SIZES.filter((size) => size < wanted)];
}

/** Remembers that a size was accepted after larger ones were rejected. */
export function rememberPageSize(paging: EventPaging, accepted: number, rejected: number[]): void {
	paging.acceptedSize = Math.max(paging.acceptedSize ?? 0, accepted);
	paging.rejectedSize = Math.min(paging.rejectedSize ?? Infinity, ...rejected);
}
