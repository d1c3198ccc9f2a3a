import type { SlotHolder } from '../../upload/slotHolder';

/** What a user should know when the response to a create was lost. */
export const LOST_CREATE_ADVICE =
	'The service may have created an upload although its response was lost: its ID is unknown, and it may hold the upload slot until the service drops it, so run this again later.';

/** Why the service rejects an upload with 429. */
export const SLOT_RULE = 'The service accepts one upload at a time for each application.';

/**
 * How to free the upload slot, in one sentence. Part of the message, which is all that an error item contains.
 *
 * @param holder the upload that holds the slot; undefined when it is not known here
 */
export function slotAdvice(holder: SlotHolder | undefined): string {
	if (!holder)
		return 'Increase Max Wait in the options of this node, or finish the other upload with Upload → Resume.';
	const { uploadId, fileName, offset, size, isCorrupt } = holder;
	const held = `The upload slot is held by upload ${uploadId} ("${fileName}"), which`;
	return isCorrupt
		? // It ends only at the service.
			`${held} no file can complete: wait until the service drops it, or delete it in the web interface of the service.`
		: `${held} was left unfinished at ${offset} of ${size} bytes: finish it with Upload → Resume and the file that it was started with, or upload that file again (Skip If Exists leaves out items that were uploaded before).`;
}
