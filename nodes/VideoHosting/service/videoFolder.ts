import type { IDataObject } from 'n8n-workflow';

import { comparableName } from './recordByName';
import { folderNameOf, folderUuidOf, isInNoFolder, videoFolderOf } from './recordFields';

/**
 * Whether a video is in a folder: by UUID or, where its record has none, by name.
 *
 * @param folder the record of the folder
 * @returns undefined when the record of the video does not contain its folder, which is not documented
 * (docs/api-reference.md#what-is-not-documented)
 */
export function isInFolder(video: IDataObject, folder: IDataObject): boolean | undefined {
	const { uuid, name } = videoFolderOf(video);
	if (uuid !== undefined) return uuid.toLowerCase() === folderUuidOf(folder)?.toLowerCase();
	if (name !== undefined) return comparableName(name) === comparableName(folderNameOf(folder) ?? '');
	return isInNoFolder(video) ? false : undefined;
}
