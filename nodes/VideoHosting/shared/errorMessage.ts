import { isRecord } from './jsonFields';

/** The message of anything that was thrown. An error may come from another realm, where it is no instance of `Error`. */
export function errorMessage(error: unknown): string {
	return isRecord(error) && typeof error.message === 'string' ? error.message : String(error);
}
