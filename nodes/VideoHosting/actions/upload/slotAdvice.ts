import { formatBytes } from '../../shared/formatBytes';
import type { SlotHolder } from '../../upload/slot';

/** What a user should know when the response to a create was lost. */
export const LOST_CREATE_ADVICE =
	'The response was lost, so an upload may block others until the service drops it. Run this again later.';

/** Why the service rejects an upload with 429. */
export const SLOT_RULE = 'The service accepts one upload at a time for each application.';

/**
 * How to free the upload slot. Part of the message, which is all that an error item of n8n 1.x contains.
 *
 * @param holder the upload that holds the slot; undefined when it is not known here
 */
export function slotAdvice(holder: SlotHolder | undefined): string {
	if (!holder)
		return 'Increase Max Wait in the options of this node, or finish the other upload with Upload → Resume.';
	const { entry, offset } = holder;
	const { file, isCorrupt, uploadId } = entry;
	const progress = `${file.name}, ${formatBytes(offset)} of ${formatBytes(file.size)}`;
	return isCorrupt
		? // It ends only at the service.
			`Upload ${uploadId} (${progress}) blocks new uploads, and no file can complete it. Wait until the service drops it, or delete it in the web interface of the service.`
		: `Unfinished upload ${uploadId} (${progress}) blocks new uploads. Finish it with Upload → Resume and the same file.`;
}
