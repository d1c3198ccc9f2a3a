import { Fields, MOST_LEVELS } from '../shared/jsonFields';
import { IDENTIFIERS } from '../transport/response';
import { listedOf, type Listed, type ServiceRecord } from './record';

/** A folder, which the reference calls a gallery (docs/api-reference.md#gallery); undefined for what its record does not contain. */
export interface Folder extends Listed {
	readonly uuid?: string;
	/** The internal number, as text. */
	readonly id?: string;
	readonly name?: string;
	/** The `id` of the folder that it is in. */
	readonly parentId?: string;
	/** As the service wrote it. */
	readonly createdDate?: string;
}

/** Normalized names of the date of a folder or a video. */
export const CREATED_DATES = ['createddate', 'createdat', 'created', 'creationdate', 'datecreated', 'date'];

/** Reads the record of a folder, in which each field may have one of its usual names. */
export function toFolder(record: ServiceRecord): Folder {
	const fields = new Fields(record);
	const uuid = fields.text(IDENTIFIERS.folder.hash);
	const name = fields.text(['name', 'foldername', 'title']);
	return {
		...listedOf(fields, 'folder', record, { uuid, name }),
		uuid,
		id: fields.text(IDENTIFIERS.folder.id),
		name,
		parentId: fields.text(['parentid']),
		createdDate: fields.text(CREATED_DATES),
	};
}

/**
 * The folders under their whole paths, such as `2026 / January`: each name after those of the folders that it is in
 * (docs/api-reference.md#gallery).
 */
export function foldersByPath(folders: readonly Folder[]): Folder[] {
	const byId = new Map(folders.map((folder) => [folder.id, folder]));
	return folders.map((folder) => {
		const line: Folder[] = [];
		let each: Folder | undefined = folder;
		// A list may show a folder in itself.
		while (each?.name !== undefined && !line.includes(each) && line.length < MOST_LEVELS) {
			line.unshift(each);
			each = each.parentId === undefined ? undefined : byId.get(each.parentId);
		}
		return line.length > 0 ? { ...folder, name: line.map(({ name }) => name).join(' / ') } : folder;
	});
}
