import { Fields } from '../shared/jsonFields';
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
	return {
		...listedOf(fields, 'folder', record),
		uuid: fields.text(IDENTIFIERS.folder.hash),
		id: fields.text(IDENTIFIERS.folder.id),
		name: fields.text(['name', 'foldername', 'title']),
		parentId: fields.text(['parentid']),
		createdDate: fields.text(CREATED_DATES),
	};
}
