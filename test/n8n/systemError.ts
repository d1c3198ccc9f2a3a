/**
 * Whether Node failed with this code, e.g. `ENOENT`. By the code alone: inside Jest, an error of Node's own modules is no
 * instance of the test's `Error`.
 */
export function isSystemError(error: unknown, code: string): boolean {
	return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
