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
	const uuid = folderUuidOf(folder)?.toLowerCase();
	return (videos) => {
		const places = videos.map(videoFolderOf);
		const isShown = videos.some(
			(video, index) => places[index]?.uuid ?? places[index]?.name ?? isInNoFolder(video),
		);
		if (videos.length > 0 && !isShown) throw noFolderField(context);
		return videos.filter((_video, index) => {
			const place = places[index];
			return place?.uuid === undefined
				? isSame(place?.name, folderNameOf(folder))
				: place.uuid.toLowerCase() === uuid;
		});
	};
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
				`${found.length} folders have the ${which}: choose one By UUID. Their UUIDs are ${found.map(folderUuidOf).join(', ')}`,
			);
}

function noFolderField(context: IPollFunctions): NodeOperationError {
	return new NodeOperationError(
		context.getNode(),
		'The records of the videos do not contain their folder, so the option Folder cannot be applied. Remove this option',
		{
			description:
				'Check the output of Video → Get Many: the trigger needs a field such as folder_uuid or folder.',
		},
	);
}
