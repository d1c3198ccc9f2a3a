/**
 * Creates a value once for each run of a node. It is kept as long as the context, of which n8n makes one for each run.
 *
 * @param create makes the value when a context asks for it for the first time
 */
export function perRun<T extends object, Context extends object = object>(
	create: (context: Context) => T,
): (context: Context) => T {
	const values = new WeakMap<Context, T>();
	return (context) => {
		const known = values.get(context);
		if (known) return known;
		const value = create(context);
		values.set(context, value);
		// What failed is created anew: the next item tries it again.
		if (value instanceof Promise) value.catch(() => values.delete(context));
		return value;
	};
}
