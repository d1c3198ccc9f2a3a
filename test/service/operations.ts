export interface OperationRule {
	/** The operation's number in service-api-reference.md. */
	reference: number;
	methods: readonly string[];
	/** Path with its placeholders in braces, as the reference writes it. */
	path: string;
	/** `any`: the header must be there; `json`: its value must allow application/json. */
	accept?: 'any' | 'json';
	/** `any`: the header must be there; `json+utf8`: application/json with charset UTF-8. */
	contentType?: 'any' | 'json' | 'json+utf8' | 'multipart';
}

/** Paths and required headers of the reference. Authorization is required on all but authenticate. */
export const operations = {
	authenticate: { reference: 1, methods: ['POST'], path: '/v1/authenticate', contentType: 'json' },
	eventInsert: { reference: 2, methods: ['POST'], path: '/v1/events/insert', contentType: 'json' },
	eventUpdate: { reference: 3, methods: ['PUT'], path: '/v1/events/update', accept: 'json' },
	eventStartOrEnd: {
		reference: 4,
		methods: ['PUT'],
		path: '/v1/events/start-or-end-live',
		contentType: 'json+utf8',
	},
	eventDelete: {
		reference: 5,
		methods: ['DELETE'],
		path: '/v1/events/delete',
		accept: 'any',
		contentType: 'json+utf8',
	},
	eventSearchByHash: {
		reference: 6,
		methods: ['GET'],
		path: '/v1/events/searchByHash',
		accept: 'any',
		contentType: 'any',
	},
	eventSearchAll: { reference: 7, methods: ['GET'], path: '/v1/events/searchAll', accept: 'any' },
	folderTotal: { reference: 8, methods: ['GET'], path: '/v1/folders/total' },
	folderList: { reference: 9, methods: ['GET'], path: '/v1/folders' },
	folderCreate: { reference: 10, methods: ['POST'], path: '/v1/folders' },
	folderUpdate: { reference: 11, methods: ['PUT', 'PATCH'], path: '/v1/folders/{uuid}' },
	folderDelete: { reference: 12, methods: ['DELETE'], path: '/v1/folders/{uuid}' },
	uploadCreate: { reference: 13, methods: ['POST'], path: '/v1/videos' },
	uploadPatch: { reference: 14, methods: ['PATCH'], path: '/v1/videos/uploads/{upload_id}' },
	uploadHead: { reference: 15, methods: ['HEAD'], path: '/v1/videos/uploads/{upload_id}' },
	videoDelete: {
		reference: 16,
		methods: ['DELETE'],
		path: '/v1/videos/deleteVideo/{video_hash}/{plan_id}',
		accept: 'any',
		contentType: 'json',
	},
	videoThumbnail: {
		reference: 17,
		methods: ['PUT'],
		path: '/v1/videos/uploadThumb/{video_hash}/{plan_id}',
		accept: 'any',
		contentType: 'multipart',
	},
	videoEdit: {
		reference: 18,
		methods: ['PUT'],
		path: '/v1/videos/editVideo/{video_hash}/{plan_id}',
		accept: 'any',
		contentType: 'json',
	},
	/** Operations 19 and 20 are the same endpoint. */
	videoList: {
		reference: 20,
		methods: ['GET'],
		path: '/v1/videos/application',
		accept: 'any',
		contentType: 'json',
	},
	videoMove: {
		reference: 21,
		methods: ['PUT'],
		path: '/v1/videos/moveVideo/{video_hash}',
		accept: 'any',
		contentType: 'json',
	},
	diskUsageByApplication: {
		reference: 22,
		methods: ['GET'],
		path: '/v1/videos/diskusagebyapp',
		contentType: 'json',
	},
	diskUsageByFolder: {
		reference: 23,
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
