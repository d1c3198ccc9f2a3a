import type { Reference } from '../parameters/references';
import type { ServiceContext } from '../transport/credential';
import { operationError } from '../transport/errors';
import type { Folder } from './folder';
import { existingFolder, resolveFolder } from './folders';
import { isIn, type Video } from './video';

/** Selects the videos in a folder. Whether the record of a video contains its folder is not documented. */
export class FolderFilter {
	private readonly compared: Array<boolean | undefined> = [];

	private constructor(private readonly folder: Folder | undefined) {}

	/**
	 * @param chosen undefined for all videos
	 * @throws NodeOperationError unless exactly one folder is meant; NodeApiError when the list cannot be read
	 */
	static async of(context: ServiceContext, chosen: Reference | undefined): Promise<FolderFilter> {
		return new FolderFilter(chosen && (await existingFolder(context, await resolveFolder(context, chosen))));
	}

	matches(video: Video): boolean {
		if (!this.folder) return true;
		const answer = isIn(video, this.folder);
		this.compared.push(answer);
		return answer === true;
	}

	/**
	 * @param place of the parameter Folder, for the message
	 * @throws NodeOperationError when no video that was compared contains its folder
	 */
	check(context: ServiceContext, place: 'filter' | 'option'): void {
		if (this.compared.length === 0 || this.compared.some((isIn) => isIn !== undefined)) return;
		throw operationError(
			context,
			`The records of the videos do not contain their folder, so the ${place} Folder cannot be applied`,
			`Remove the ${place}, or check the output of Video → Get Many: the node needs a field such as folder_uuid or folder.`,
		);
	}
}
