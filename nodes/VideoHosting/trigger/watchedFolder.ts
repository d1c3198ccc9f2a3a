import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { FolderReference } from '../parameters/identifiers';
import { findFolder, findFolderByName } from '../service/folders';
import { isInFolder } from '../service/recordFields';

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
	const folder =
		'uuid' in wanted ? await findFolder(context, wanted.uuid) : await findFolderByName(context, wanted.name);
	if (!folder) {
		const which = 'uuid' in wanted ? `UUID ${wanted.uuid}` : `name "${wanted.name}"`;
		const message = `The application has no folder with the ${which}`;
		const description = 'Check the option Folder. The folder may have been deleted or renamed.';
		throw new NodeOperationError(context.getNode(), message, { description });
	}
	return (videos) => {
		const isInside = videos.map((video) => isInFolder(video, folder));
		if (videos.length > 0 && isInside.every((each) => each === undefined)) throw noFolderField(context);
		return videos.filter((_video, index) => isInside[index]);
	};
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
