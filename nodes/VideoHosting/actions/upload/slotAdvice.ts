import type { SlotHolder } from '../../transfer/recovery/slotHolder';

/** What a user should know when the response to a create was lost. */
export const LOST_CREATE_ADVICE =
	'The service may have created the upload although its response was lost. Its ID is unknown, so it cannot be resumed, and it may hold the upload slot of the application until the service drops it.';

const FINISH = 'with Upload → Resume and the file that it was started with, or upload that file again';

/** An upload that no file can complete ends only at the service. */
const WAIT = 'wait until the service drops it, or delete it in the web interface of the service';

/** What holds the slot, and how to free it. Part of the message, which is all that an error item contains. */
export function heldSlotAdvice({ uploadId, fileName, offset, size, isSpoiled }: SlotHolder): string {
	const held = `The upload slot is held by upload ${uploadId} ("${fileName}"), which`;
	return isSpoiled
		? `${held} no file can complete: ${WAIT}.`
		: `${held} was left unfinished at ${offset} of ${size} bytes: finish it ${FINISH}.`;
}

/** The two ways out when the slot is held: by an upload that is known here, or by one that is not. */
export function slotAdvice(holder: SlotHolder | undefined): string {
	const rule = 'The service accepts one upload at a time';
	if (!holder) {
		return `${rule}, and another one of this application is not finished. Increase Max Wait in the options of this node, or finish that upload with Upload → Resume, its upload ID and its file.`;
	}
	const { uploadId, fileName, isSpoiled } = holder;
	const left = `${rule}, and this n8n left another one unfinished: ${uploadId} ("${fileName}").`;
	return isSpoiled ? `${left} No file can complete it: ${WAIT}.` : `${left} Finish it ${FINISH}.`;
}
