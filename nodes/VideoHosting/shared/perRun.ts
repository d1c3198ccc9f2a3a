/**
 * A value that is created once for each run of a node and kept as long as its context: n8n makes one context for each run.
 *
 * @param create makes the value when a context asks for it for the first time
 */
export function perRun<T, Context extends object = object>(
	create: (context: Context) => T,
): (context: Context) => T {
	const values = new WeakMap<Context, { value: T }>();
	return (context) => {
		const known = values.get(context) ?? { value: create(context) };
		values.set(context, known);
		return known.value;
	};
}
