import { errorMessage } from '../shared/errorMessage';
import type { SlotHolder } from './slotHolder';

/** The upload slot did not become free. */
export class SlotHeldError extends Error {
	/**
	 * @param reason the service's error response
	 * @param holder what holds the slot, where it is known
	 */
	constructor(
		readonly reason: unknown,
		readonly holder: SlotHolder | undefined,
	) {
		super(errorMessage(reason));
	}
}
