import { DAY_MS } from '../parameters/dates';
import { UUID_REGEX } from '../parameters/references';
import { FIELDS } from '../shared/assumptions';
import { Fields, isRecord, normalizedName } from '../shared/jsonFields';
import { toFolder, type Folder } from './folder';
import { withoutMarks } from './mark';
import {
	listedOf,
	isSameName,
	isSameUuid,
	parseServiceDate,
	serviceTime,
	type Listed,
	type ServiceRecord,
} from './record';

/** A video (docs/api-reference.md#video); undefined for what its record does not contain. */
export interface Video extends Listed {
	readonly hash?: string;
	readonly name?: string;
	/** Bytes of its file. */
	readonly size?: number;
	/** As the service wrote it. */
	readonly createdDate?: string;
	/** Milliseconds since 1970. */
	readonly created?: number;
	readonly folder: FolderOfVideo;
}

/** What the record of a video shows of its folder: no field, an empty one, or a folder. */
export type FolderOfVideo =
	{ kind: 'unknown' } | { kind: 'none' } | ({ kind: 'in' } & Pick<Folder, 'uuid' | 'id' | 'name'>);

/** Where a video is, as seen from a folder. Unclear: of two folders called January, the record shows the name alone. */
export type Placement = 'in' | 'elsewhere' | 'unclear' | 'not shown';

const { video: NAMES } = FIELDS;
/** Names of the folder, of its UUID, its ID and its name. */
const IN_FOLDER = [NAMES.folder, NAMES.folderUuid, NAMES.folderId, NAMES.folderName];

/** Reads the record of a video, in which each field may have one of its usual names. */
export function toVideo(given: ServiceRecord): Video {
	// A recording may be named like its event.
	const record = withoutMarks(given);
	const fields = new Fields(record);
	const size = Number(fields.text(NAMES.size.values));
	const createdDate = fields.text(NAMES.createdDate.values);
	const hash = fields.text(NAMES.hash.values);
	const name = fields.text(NAMES.name.values);
	const folder = folderIn(fields);
	const folderUuid = folder.kind === 'in' ? folder.uuid : undefined;
	const known = { hash, name, created_date: createdDate, folder_uuid: folderUuid };
	return {
		...listedOf(fields, 'video', record, known),
		hash,
		name,
		size: Number.isSafeInteger(size) && size > 0 ? size : undefined,
		createdDate,
		// Without an offset it is in UTC, as the timestamps of folders are (docs/api-reference.md#gallery). Not every question needs it, and
		// it takes longer than all other fields.
		get created() {
			return serviceTime(createdDate, 'UTC');
		},
		folder,
	};
}

function folderIn(fields: Fields): FolderOfVideo {
	const [nested = [], uuids = [], ids = [], names = []] = IN_FOLDER.map(({ values }) => values);
	const all = [...nested, ...uuids, ...ids, ...names];
	const shown = fields.all(all);
	if (shown.every(isNone)) return { kind: shown.length > 0 ? 'none' : 'unknown' };
	const own = toFolder(shown.find(isRecord) ?? {});
	const flat = [...uuids, ...ids, ...nested].map((name) => fields.text([name]));
	const texts = [own.uuid, own.id, ...flat];
	// A number is an ID; a text of digits may be a name, too.
	const named = nested.filter((each) => typeof fields.value(each) === 'string');
	return {
		kind: 'in',
		uuid: texts.find((text = '') => new RegExp(UUID_REGEX).test(text)),
		id: texts.find((text = '') => /^\d+$/.test(text)),
		name: own.name ?? fields.text([...names, ...named]),
	};
}

/** Whether a field is empty, or an object whose fields are. */
function isNone(value: unknown): boolean {
	return value === null || value === '' || (isRecord(value) && Object.values(value).every(isNone));
}

/**
 * Whether a video is in a folder, by the UUID that its record shows, else by its ID, else by its name.
 *
 * @param folders among which an ID and a name are looked up
 * @returns `elsewhere` also for a folder that is not among these, such as ID 0; `unclear` also for one that these cannot be compared with,
 * as neither is documented (docs/api-reference.md#what-is-not-documented)
 */
export function placementOf(
	{ folder }: Video,
	uuid: string | undefined,
	folders: readonly Folder[],
): Placement {
	if (folder.kind === 'unknown') return 'not shown';
	if (folder.kind === 'none') return 'elsewhere';
	const { id, name } = folder;
	if (folder.uuid !== undefined) return isSameUuid(folder.uuid, uuid) ? 'in' : 'elsewhere';
	const showIds = id !== undefined && folders.every((each) => each.id !== undefined);
	const showNames = name !== undefined && folders.every((each) => each.name !== undefined);
	const byId = folders.filter((each) => isSameName(each.id, id));
	// A text of digits may be an ID or a name.
	const isId = byId.length > 0 || (showIds && id !== name);
	const found = isId ? byId : folders.filter((each) => isSameName(each.name, name));
	if (found.length === 0) return showIds || showNames ? 'elsewhere' : 'unclear';
	if (!found.some((each) => isSameUuid(each.uuid, uuid))) return 'elsewhere';
	return found.length === 1 ? 'in' : 'unclear';
}

/** The latest moment that the date of a video means, which may be a day; milliseconds since 1970. */
export function latestCreated({ created = Infinity, createdDate = '' }: Video): number {
	return parseServiceDate(createdDate)?.hasTime === false ? created + DAY_MS - 1 : created;
}

/** The video under a new name, in whichever field that is. */
export function withName(video: Video, name: string): Video {
	// The type of the values of any object is `any`.
	const fields = Object.entries(video.record) as Array<[string, unknown]>;
	const renamed = fields.map(([field, value]) => [
		field,
		value === video.name && NAMES.name.values.includes(normalizedName(field)) ? name : value,
	]);
	return toVideo(Object.fromEntries(renamed) as ServiceRecord);
}
