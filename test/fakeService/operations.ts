export interface OperationRule {
	methods: readonly string[];
	/** Path with its placeholders in braces, as docs/api-reference.md writes it. */
	path: string;
	/** `any`: the header must be there; `json`: its value must allow application/json. */
	accept?: 'any' | 'json';
	/** `any`: the header must be there; `json+utf8`: application/json with charset UTF-8. */
	contentType?: 'any' | 'json' | 'json+utf8' | 'multipart';
}

/** Paths and required headers of docs/api-reference.md. Authorization is required on all but authenticate. */
export const operations = {
	authenticate: { methods: ['POST'], path: '/v1/authenticate', contentType: 'json' },
	eventInsert: { methods: ['POST'], path: '/v1/events/insert', contentType: 'json' },
	eventUpdate: { methods: ['PUT'], path: '/v1/events/update', accept: 'json' },
	eventStartOrEnd: {
		methods: ['PUT'],
		path: '/v1/events/start-or-end-live',
		contentType: 'json+utf8',
	},
	eventDelete: {
		methods: ['DELETE'],
		path: '/v1/events/delete',
		accept: 'any',
		contentType: 'json+utf8',
	},
	eventSearchByHash: {
		methods: ['GET'],
		path: '/v1/events/searchByHash',
		accept: 'any',
		contentType: 'any',
	},
	eventSearchAll: { methods: ['GET'], path: '/v1/events/searchAll', accept: 'any' },
	folderTotal: { methods: ['GET'], path: '/v1/folders/total' },
	folderList: { methods: ['GET'], path: '/v1/folders' },
	folderCreate: { methods: ['POST'], path: '/v1/folders' },
	folderUpdate: { methods: ['PUT', 'PATCH'], path: '/v1/folders/{uuid}' },
	folderDelete: { methods: ['DELETE'], path: '/v1/folders/{uuid}' },
	uploadCreate: { methods: ['POST'], path: '/v1/videos' },
	uploadPatch: { methods: ['PATCH'], path: '/v1/videos/uploads/{upload_id}' },
	uploadHead: { methods: ['HEAD'], path: '/v1/videos/uploads/{upload_id}' },
	videoDelete: {
		methods: ['DELETE'],
		path: '/v1/videos/deleteVideo/{video_hash}/{plan_id}',
		accept: 'any',
		contentType: 'json',
	},
	videoThumbnail: {
		methods: ['PUT'],
		path: '/v1/videos/uploadThumb/{video_hash}/{plan_id}',
		accept: 'any',
		contentType: 'multipart',
	},
	videoEdit: {
		methods: ['PUT'],
		path: '/v1/videos/editVideo/{video_hash}/{plan_id}',
		accept: 'any',
		contentType: 'json',
	},
	/** docs/api-reference.md#search-videos-by-name is the same endpoint. */
	videoList: {
		methods: ['GET'],
		path: '/v1/videos/application',
		accept: 'any',
		contentType: 'json',
	},
	videoMove: {
		methods: ['PUT'],
		path: '/v1/videos/moveVideo/{video_hash}',
		accept: 'any',
		contentType: 'json',
	},
	diskUsageByApplication: {
		methods: ['GET'],
		path: '/v1/videos/diskusagebyapp',
		contentType: 'json',
	},
	diskUsageByFolder: {
		methods: ['GET'],
		path: '/v1/videos/diskusagebyfolderandvideo/{uuid}',
		contentType: 'json',
	},
} as const satisfies Record<string, OperationRule>;

export type OperationName = keyof typeof operations;

// Object.keys() forgets the literal names of the table just above.
export const operationNames = Object.keys(operations) as [OperationName, ...OperationName[]];

/** Path segments by the reference's placeholder names, percent-decoded. */
export type PathSegments = Partial<Record<'uuid' | 'upload_id' | 'video_hash' | 'plan_id', string>>;

export interface Route {
	operation: OperationName | 'unknown';
	segments: PathSegments;
	/** The path exists, with another method. */
	otherMethod: boolean;
}

/** Finds the operation of a request; `path` is the raw path without its query. */
export function findRoute(method: string, path: string): Route {
	let otherMethod = false;
	for (const operation of operationNames) {
		const rule: OperationRule = operations[operation];
		const segments = matchPath(rule.path, path);
		if (segments === undefined) continue;
		if (rule.methods.includes(method)) return { operation, segments, otherMethod: false };
		otherMethod = true;
	}
	return { operation: 'unknown', segments: {}, otherMethod };
}

function matchPath(pattern: string, path: string): PathSegments | undefined {
	const expected = pattern.split('/');
	const actual = path.split('/');
	if (expected.length !== actual.length) return undefined;
	const segments: Record<string, string> = {};
	for (const [index, part] of expected.entries()) {
		const value = actual[index] ?? '';
		if (!part.startsWith('{')) {
			if (part !== value) return undefined;
			continue;
		}
		try {
			segments[part.slice(1, -1)] = decodeURIComponent(value);
		} catch {
			return undefined;
		}
		if (value === '') return undefined;
	}
	return segments;
}
