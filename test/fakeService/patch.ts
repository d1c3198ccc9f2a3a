import type { IncomingMessage } from 'node:http';

import type { RecordedRequest, Recording } from './recording';
import type { ServiceSettings } from './settings';
import type { ServiceState, Upload } from './state';
import { storeBytes } from './uploads';

export interface PatchLimits {
	/** Nothing more is read after so many bytes. */
	stopAfter: number;
	/** Bytes beyond these arrive and are thrown away. */
	storeAtMost: number;
}

/**
 * Receives the body of an admitted PATCH (docs/api-reference.md#send-bytes) into its upload. Resolves with `ended`
 * after the whole body, `stopped` at the limit, `aborted` when the client went away; the upload is free for the next
 * PATCH by then.
 */
export function receivePatch(
	req: IncomingMessage,
	upload: Upload,
	limits: PatchLimits,
	record: RecordedRequest,
	recording: Recording,
	{ state, settings }: { state: ServiceState; settings: ServiceSettings },
): Promise<'ended' | 'stopped' | 'aborted'> {
	const patch = { offset: upload.offset, stored: 0, received: 0 };
	upload.patches.push(patch);
	upload.transferring = true;
	const underWay = state.uploads.filter(({ transferring }) => transferring).length;
	state.maxSimultaneousPatches = Math.max(state.maxSimultaneousPatches, underWay);

	return new Promise((resolve) => {
		const finish = (outcome: 'ended' | 'stopped' | 'aborted') => {
			req.off('data', onData).off('end', onEnd).off('close', onClose);
			upload.transferring = false;
			recording.changed();
			resolve(outcome);
		};
		const onData = (chunk: Buffer) => {
			const received = chunk.subarray(0, limits.stopAfter - patch.received);
			const stored = received.subarray(0, Math.max(0, limits.storeAtMost - patch.received));
			patch.received += received.length;
			patch.stored += stored.length;
			record.bodyBytes += received.length;
			upload.bytesReceived += received.length;
			if (stored.length > 0) storeBytes(upload, stored, state, settings);
			recording.changed();
			if (patch.received < limits.stopAfter) return;
			req.pause();
			finish('stopped');
		};
		const onEnd = () => finish('ended');
		const onClose = () => finish('aborted');
		if (limits.stopAfter === 0) return finish('stopped');
		req.on('data', onData).once('end', onEnd).once('close', onClose);
	});
}
