import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { listFolders } from '../service/folders';
import { folderNameOf, folderUuidOf } from '../service/recordFields';
import { withListErrors } from './listError';
import { pickerPage } from './pickerPage';

/** Galleries of the application; the service lists them all in one response (docs/api-reference.md#list-galleries). */
export const searchFolders = withListErrors(async function (
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await pickerPage(async (page) => (page === 1 ? await listFolders(this) : []), {
		nameOf: (folder) => folderNameOf(folder) ?? folderUuidOf(folder) ?? 'Folder without a name',
		valueOf: folderUuidOf,
		filter,
		onePage: true,
	});
});
