import type { SlotHolder } from '../../transfer/recovery/slotHolder';

/** What a user should know when the response to a create was lost. */
export const LOST_CREATE_ADVICE =
	'The service may have created the upload although its response was lost. Nobody knows the ID of that upload, so it cannot be resumed, and it may hold the upload slot of the application until the service drops it.';

/** What holds the slot, and how to free it. Part of the message, which is all that an error item contains. */
export function heldSlotAdvice({ uploadId, fileName, offset, size }: SlotHolder): string {
	return `The upload slot is held by upload ${uploadId} ("${fileName}"), which was left unfinished at ${offset} of ${size} bytes: finish it with Upload → Resume, or upload that file again.`;
}

/** The two ways out when the slot is held: by an upload that is known here, or by one that is not. */
export function slotAdvice(holder: SlotHolder | undefined): string {
	const rule = 'The service accepts one upload at a time';
	return holder
		? `${rule}, and this n8n left another one unfinished: ${holder.uploadId} ("${holder.fileName}"). Finish it with Upload → Resume, or upload that file again.`
		: `${rule}, and another one of this application is not finished. Either wait until it is, with a longer Max Wait in the options of this node, or finish it yourself with Upload → Resume, its upload ID and its file.`;
}
