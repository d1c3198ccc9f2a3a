import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { FolderReference } from '../parameters/identifiers';
import { listFolders } from '../service/folders';
import { folderNameOf, folderUuidOf, isInNoFolder, videoFolderOf } from '../service/recordFields';

/**
 * A filter for the videos of a folder, all videos when none is chosen. The record of a video does not document its folder
 * (docs/api-reference.md#what-is-not-documented), so it is compared by UUID or, where there is none, by name.
 *
 * @returns a function that throws a NodeOperationError for videos without any field for a folder
 * @throws NodeApiError when the folders cannot be listed; NodeOperationError unless exactly one folder is meant
 */
export async function watchedFolder(
	context: IPollFunctions,
	wanted: FolderReference | undefined,
): Promise<(videos: IDataObject[]) => IDataObject[]> {
	if (!wanted) return (videos) => videos;
	const folders = (await listFolders(context)).filter((folder) =>
		'uuid' in wanted
			? isSame(folderUuidOf(folder)?.toLowerCase(), wanted.uuid.toLowerCase())
			: isSame(folderNameOf(folder), wanted.name),
	);
	const [folder] = folders;
	if (!folder || folders.length > 1) throw notOneFolder(context, wanted, folders);
	return (videos) => {
		const isInside = videos.map((video) => isInFolder(video, folder));
		if (videos.length > 0 && isInside.every((each) => each === undefined)) throw noFolderField(context);
		return videos.filter((_video, index) => isInside[index]);
	};
}

/**
 * Whether a video is in a folder: by UUID or, where its record has none, by name.
 *
 * @returns undefined when the record does not contain a folder
 */
function isInFolder(video: IDataObject, folder: IDataObject): boolean | undefined {
	const { uuid, name } = videoFolderOf(video);
	if (uuid !== undefined) return uuid.toLowerCase() === folderUuidOf(folder)?.toLowerCase();
	if (name !== undefined) return isSame(name, folderNameOf(folder));
	return isInNoFolder(video) ? false : undefined;
}

/** The same letters may be written with combined or separate accents (Unicode normalization form C). */
function isSame(one: string | undefined, other: string | undefined): boolean {
	return one !== undefined && one.trim().normalize('NFC') === other?.trim().normalize('NFC');
}

function notOneFolder(
	context: IPollFunctions,
	wanted: FolderReference,
	found: IDataObject[],
): NodeOperationError {
	const which = 'uuid' in wanted ? `UUID ${wanted.uuid}` : `name "${wanted.name}"`;
	return found.length === 0
		? new NodeOperationError(context.getNode(), `The application has no folder with the ${which}`, {
				description: 'Check the option Folder. The folder may have been deleted or renamed.',
			})
		: new NodeOperationError(
				context.getNode(),
				`${found.length} folders have the ${which}: ${found.map(folderUuidOf).join(', ')}`,
				{ description: 'Choose one of them By UUID.' },
			);
}

function noFolderField(context: IPollFunctions): NodeOperationError {
	return new NodeOperationError(
		context.getNode(),
		'The records of the videos do not contain their folder, so the option Folder cannot be applied',
		{
			description:
				'Remove this option, or check the output of Video → Get Many: the trigger needs a field such as folder_uuid or folder.',
		},
	);
}
