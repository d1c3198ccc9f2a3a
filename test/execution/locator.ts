import type { INodeParameterResourceLocator } from 'n8n-workflow';

/** The value of a resource locator, as the editor stores it: `by('hash', 'abc')`, `by('list', '…')`. */
export function by(
	mode: 'hash' | 'id' | 'list' | 'name' | 'title' | 'uuid',
	value: string | number,
): INodeParameterResourceLocator {
	return { __rl: true, mode, value };
}
