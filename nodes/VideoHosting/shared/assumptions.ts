/**
 * What the service calls things, and how it cuts and sorts its lists. Nobody has seen yet what is assumed: `npm run check:service` says
 * which of it is true. A service with `event_title` makes that name the only one of `title` here.
 */
export interface Assumption<Value = string> {
	/** The section of docs/api-reference.md. */
	readonly section: string;
	/** The first one that a response has counts, and a request has the first one. */
	readonly values: readonly Value[];
	/** How many of them are documented, which come first. The others are assumed. */
	readonly documented: number;
}

/**
 * Names of fields without case, underscores and hyphens, see `normalizedName`.
 *
 * @param texts the documented names, `|` and the assumed ones, with spaces between them
 */
function names<Key extends string>(section: string, texts: Record<Key, string>): Record<Key, Assumption> {
	const entries = Object.entries<string>(texts).map(([key, text]) => {
		const [documented = [], assumed = []] = text.split('|').map((part) => part.match(/\w+/g) ?? []);
		return [key, { section, values: [...documented, ...assumed], documented: documented.length }];
	});
	// It has the keys of the texts.
	return Object.fromEntries(entries) as Record<Key, Assumption>;
}

/** Fields of the records of each kind. `hash` and `id` identify one; an `id` alone may be that of anything. */
export const FIELDS = {
	event: names('event', {
		hash: 'hash eventhash | hashevent',
		id: 'eventid | idevent id',
		title: 'title | eventtitle name eventname',
		dateScheduled: 'datescheduled | scheduleddate scheduledat dateschedule date startdate',
		status: 'status | eventstatus livestatus state',
		secret: 'secret | plansecret eventsecret livesecret',
	}),
	folder: names('gallery', {
		hash: 'uuid | folderuuid galleryuuid',
		id: 'id | folderid galleryid',
		name: 'name | foldername title',
		parentId: 'parentid |',
		createdDate: 'createddate | createdat created creationdate datecreated date',
	}),
	video: names('video', {
		hash: 'hash | videohash hashvideo',
		id: '| videoid idvideo uuid id',
		name: 'name | videoname title filename',
		createdDate: 'createddate | createdat created creationdate datecreated date',
		/** Only names of a number of bytes: another unit would be another size. */
		size: '| sizeinbytes filesizeinbytes sizebytes bytes filesize size',
		/** An object with the fields of a folder, or one of these. */
		folder: '| folder gallery',
		folderUuid: 'folderuuid | galleryuuid',
		folderId: '| folderid galleryid idfolder idgallery',
		folderName: '| foldername galleryname',
	}),
};

export type RecordKind = keyof typeof FIELDS;

/** What is around the records in a response. */
export const AROUND = names('what-is-not-documented', {
	/** What a response calls its content. The reference calls folders galleries. */
	event: '| event events',
	folder: '| folder folders gallery galleries',
	video: '| video videos',
	/** What else a response usually wraps its content in. */
	wrapper: '| data items results records rows content list result payload',
	/** Objects that describe a list; those above may, too. */
	description: '| meta metadata pagination paging paginator page pageinfo links summary',
	total:
		'| total totalcount totalitems totalrecords totalresults totalelements totalrows totalevents totalfolders totalgalleries totalvideos',
	/** A total, where it is more than the records beside it. */
	count: '| count',
	pages: '| totalpages pagestotal pagecount numpages pages lastpage',
	/** That another part follows. */
	more: '| hasmore hasmorepages hasnext hasnextpage more next nextpage nextpageurl nexturl nextlink nextcursor nextpagetoken',
	/** The number of a failure. */
	code: '| code status statuscode errcode errstatus errstatuscode errorcode errorstatus errorstatuscode httpcode httpstatus httpstatuscode responsecode responsestatus responsestatuscode resultcode resultstatus resultstatuscode',
	/** Fields that only describe the response: they are left out next to a record. */
	envelope: '| id success message status statuscode code error errors timestamp',
});

export const SIGN_IN = names('authenticate', {
	/** At any depth, the most explicit first; else it is in the header Authorization, or the whole body is one word. */
	token:
		'| accesstoken bearertoken authtoken authenticationtoken jwt jwttoken token apitoken sessiontoken idtoken access bearer',
});

export const DISK_USAGE = names('disk-usage', {
	/** Numbers of bytes. */
	bytes:
		'| diskusage diskusagebytes diskusageinbytes usage usagebytes usageinbytes used usedbytes usedinbytes size sizebytes sizeinbytes totalsize totalsizebytes totalsizeinbytes filesize filesizebytes filesizeinbytes bytes totalbytes',
	/** The same, where no other field of an object is one: beside a size, it may count videos. */
	alone: '| total',
});

/** How lists are cut into pages and sorted. */
export const LISTS = {
	event: {
		/** Numbers that it may have, the first of which is read first. */
		firstPage: { section: 'search-all-events', values: [1, 0], documented: 0 },
		/** Records on a page, and what is tried where the service rejects that. */
		quantity: { section: 'limits', values: [100, 50, 25], documented: 0 },
		/** `orderType`. */
		direction: { section: 'search-all-events', values: ['ASC', 'DESC'], documented: 1 },
	},
	video: {
		firstPage: { section: 'list-videos', values: [1], documented: 1 },
		/** `sort`. */
		direction: { section: 'list-videos', values: ['DESC', 'ASC'], documented: 0 },
	},
} as const;
