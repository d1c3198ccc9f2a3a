/**
 * What is kept for one run: n8n creates a context for each run of a node, so what belongs to a context cannot get stale in
 * the next run. An active trigger keeps one context for all its polls; `forget` ends what was kept for the last one.
 *
 * @param create makes the value when a run first asks for it
 */
export function perRun<T>(create: () => T): ((context: object) => T) & { forget: (context: object) => void } {
	const kept = new WeakMap<object, { value: T }>();
	const valueOf = (context: object): T => {
		const entry = kept.get(context) ?? { value: create() };
		kept.set(context, entry);
		return entry.value;
	};
	return Object.assign(valueOf, { forget: (context: object) => void kept.delete(context) });
}
