/** Statuses that a change must come from and go to; empty means any. */
export interface StatusFilter {
	from: readonly string[];
	to: readonly string[];
}

export function passes({ from, to }: StatusFilter, previousStatus: string, status: string): boolean {
	return (from.length === 0 || from.includes(previousStatus)) && (to.length === 0 || to.includes(status));
}
