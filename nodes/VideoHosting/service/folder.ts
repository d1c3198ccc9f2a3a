import { FIELDS } from '../shared/assumptions';
import { Fields, MOST_LEVELS } from '../shared/jsonFields';
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

const { folder: NAMES } = FIELDS;

/** Reads the record of a folder, in which each field may have one of its usual names. */
export function toFolder(record: ServiceRecord): Folder {
	const fields = new Fields(record);
	const uuid = fields.text(NAMES.hash.values);
	const name = fields.text(NAMES.name.values);
	return {
		...listedOf(fields, 'folder', record, { uuid, name }),
		uuid,
		id: fields.text(NAMES.id.values),
		name,
		parentId: fields.text(NAMES.parentId.values),
		createdDate: fields.text(NAMES.createdDate.values),
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
