/** The value of a resource locator, as the editor stores it: `by('hash', 'abc')`, `by('list', '…')`. */
export function by(
	mode: 'externalId' | 'hash' | 'id' | 'list' | 'name' | 'title' | 'uuid',
	value: string | number,
) {
	return { __rl: true as const, mode, value };
}
