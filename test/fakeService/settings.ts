import { z } from 'zod';

export const eventStatuses = ['ON_DEMAND', 'WAITING_LIVE', 'LIVE'] as const;
const milliseconds = z.number().int().nonnegative();
const count = z.number().int().nonnegative();

/**
 * Everything the reference leaves open, each with its default in the fake service.
 * A running service reads its settings at every request.
 */
export const settingsSchema = z
	.object({
		/** Address to listen on */
		host: z.string().default('127.0.0.1'),
		/** Port to listen on; 0 lets the system choose */
		port: z.number().int().min(0).max(65_535).default(0),
		/** Private key and certificate (PEM): the service then speaks HTTPS */
		tls: z.object({ key: z.string(), cert: z.string() }).optional(),

		/** Email of the account */
		email: z.string().default('producer@example.com'),
		/** Password of the account */
		password: z.string().default('correct horse battery staple'),
		/** Application UUID, sent as `resource` */
		applicationId: z.string().uuid().default('3f1d8c1e-6f0b-4a57-9f3e-2b6f5f0c9a11'),
		/** Further applications of the same account; each has its own upload slot */
		otherApplicationIds: z.array(z.string().uuid()).default([]),
		/** Plan that uploaded videos belong to */
		planId: z.string().default('plan-1001'),
		/** Plan secrets by plan ID */
		plans: z.record(z.string()).default({ 'plan-1001': 'plan-secret-7Qm2', 'plan-2002': 'plan-secret-9Xz4' }),

		/** Where the response to authenticate carries the token; `string` is a JSON string, `text` plain text */
		authenticateResponse: z
			.enum([
				'token',
				'access_token',
				'accessToken',
				'string',
				'text',
				'data.token',
				'result.accessToken',
				'user.token',
				'several',
				'unusualName',
				'listedToken',
				'authorizationHeader',
				'tokenHeader',
				'cookie',
				'twoTokens',
				'idToken',
				'none',
			])
			.default('token'),
		/** Form of the tokens: a random text, or a JSON Web Token */
		tokenForm: z.enum(['opaque', 'jwt']).default('opaque'),
		/** A token serves this many requests; 0 = any number */
		tokenLifetimeRequests: count.default(0),
		/** Status for a token that is missing, unknown or expired */
		expiredTokenStatus: z.union([z.literal(401), z.literal(403)]).default(401),

		/** How lists are wrapped; `resource` is the key events, folders or videos */
		listShape: z
			.enum([
				'array',
				'data',
				'items',
				'results',
				'records',
				'resource',
				'data.items',
				'data.resource',
				'content',
			])
			.default('array'),
		/** What an empty list looks like: the list shape without records, 404 with an error, or null */
		emptyList: z.enum(['list', '404', 'null']).default('list'),
		/** How one record is wrapped; `resource` is the key event, folder or video */
		singleShape: z.enum(['record', 'data', 'resource', 'array']).default('record'),
		/**
		 * Response to writes the reference does not show: the record, {success: text}, no body, or an array without
		 * elements
		 */
		writeResponse: z.enum(['record', 'success', 'empty', 'emptyArray']).default('record'),
		/** A rejected request gets its own status, or 200 with {error: text} or {success: false, message: text} */
		errorsAsSuccess: z.enum(['off', 'error', 'success']).default('off'),
		/**
		 * Where an event record has its documented status: in `status`, in `liveStatus` next to `status: "active"`, in
		 * `status` as lower-case words, or nowhere (`status: "active"`)
		 */
		statusField: z.enum(['status', 'liveStatus', 'spaced', 'undocumented']).default('status'),
		/**
		 * How event records contain their date: as it was sent, as `DD/MM/YYYY HH:mm`, or as a moment in UTC, in
		 * milliseconds since the epoch or as `Wed, 01 May 2030 18:00:00 GMT`
		 */
		eventDates: z.enum(['documented', 'dayFirst', 'milliseconds', 'httpDate']).default('documented'),
		/** Names of the fields of event and video records */
		recordNames: z.enum(['camelCase', 'snake_case', 'plain', 'nestedPlan']).default('camelCase'),
		/** Event records carry the plan secret in every response, not only in search-all */
		secretInEveryResponse: z.boolean().default(false),
		/** Response of the disk usage operations */
		diskUsageShape: z.enum(['object', 'number']).default('object'),

		/** Videos per page */
		defaultPageSize: z.number().int().positive().default(20),
		/** Most records on one page, whatever was requested; 0 = no cap */
		pageSizeCap: count.default(0),
		/** A larger page size of events is rejected with `pageSizeLimitStatus`; 0 = no limit */
		pageSizeLimit: count.default(0),
		/** Status for a page size above `pageSizeLimit` */
		pageSizeLimitStatus: z.union([z.literal(400), z.literal(422)]).default(400),
		/** Every page is the first one */
		pageNumberIgnored: z.boolean().default(false),
		/** Number of the first page of events */
		firstEventPage: z.union([z.literal(0), z.literal(1)]).default(1),
		/** Response to event page 0 when the first one is 1: an error status, a list without records, or the first page */
		pageBeforeFirst: z.enum(['400', '404', '500', 'empty', 'firstPage']).default('400'),
		/**
		 * Response to a page beyond the last one (but not to page 1): a list without records, the last page again, an
		 * empty body, null, or a status
		 */
		pastLastPage: z
			.enum(['empty', 'lastPage', '204', 'emptyBody', 'null', '400', '404', '416', '500'])
			.default('empty'),

		/** Events are listed in the order in which they were added, whatever order is requested */
		eventsKeepOrder: z.boolean().default(false),
		/** Body field of start-or-end that contains LIVE or END */
		startOrEndActionField: z.string().default('status'),

		/** Responses to PATCH contain Upload-Offset */
		patchReturnsOffset: z.boolean().default(false),
		/** Responses to HEAD contain Upload-Length */
		headReturnsLength: z.boolean().default(false),
		/** Content-Length must be all remaining bytes, the literal reading of the reference */
		patchNeedsWholeRest: z.boolean().default(false),
		/** Form of Location; `hostile` names the host evil.example */
		locationForm: z.enum(['protocolRelative', 'absolute', 'path', 'hostile']).default('protocolRelative'),
		/**
		 * Which upload occupies the slot of its application: any unfinished one, or only one whose PATCH the service is
		 * receiving
		 */
		slotHeldBy: z.enum(['unfinished', 'transferring']).default('unfinished'),
		/** Status of a PATCH to an upload whose earlier PATCH is still in progress */
		concurrentPatchStatus: z.union([z.literal(409), z.literal(423), z.literal(429)]).default(429),
		/** Upload IDs are UUIDs, or count 1, 2, 3, … in each service */
		uploadIds: z.enum(['uuid', 'numeric']).default('uuid'),
		/** A complete upload is unknown from then on: HEAD and PATCH return 404 */
		dropsFinishedUploads: z.boolean().default(false),
		/** What every upload ID begins with, as it is written in Location */
		uploadIdPrefix: z.string().default(''),
		/** An unfinished upload untouched for this long is forgotten; 0 = never */
		unfinishedUploadExpiryMs: milliseconds.default(0),
		/** Keep a SHA-256 of each upload; off for benchmarks */
		hashing: z.boolean().default(true),
		/** Keep the bytes of each upload in memory */
		keepBytes: z.boolean().default(false),
		/** A complete upload is listed as a video this long after its last byte */
		videoAppearsAfterMs: milliseconds.default(0),
		/**
		 * Added to `videoAppearsAfterMs`: less than this, another part of it for each video, so that videos are listed out
		 * of order
		 */
		videoLagSpreadMs: milliseconds.default(0),
		/** Determines the parts of `videoLagSpreadMs` */
		videoLagSeed: z.number().int().default(1),
		/** A folder that was created is listed this long after; its UUID works at once */
		folderAppearsAfterMs: milliseconds.default(0),
		/** Video records contain the size of their file */
		videoSizes: z.boolean().default(true),
		/** Video records contain their folder */
		videoFolders: z.boolean().default(true),
		/**
		 * How video records contain their date: ISO 8601 with milliseconds, with seconds, the day alone, a number of
		 * milliseconds, or not at all
		 */
		videoDates: z.enum(['milliseconds', 'seconds', 'day', 'epoch', 'none']).default('milliseconds'),
		/** What the date of a video is: when its upload was complete or created, or when it was listed */
		videoDatedAt: z.enum(['completion', 'creation', 'listing']).default('completion'),
		/** How far the service's clock is ahead of the true time; also in the Date header of its responses. Negative: behind */
		clockOffsetMinutes: z.number().default(0),
		/** The video record of an upload keeps the extension of the file name */
		videoNameKeepsExtension: z.boolean().default(true),
		/** In the file name of an upload, each character other than ASCII letters, digits, `.`, `_` and `-` becomes `_` */
		videoNameSanitized: z.boolean().default(false),
		/** The file name of an upload is stored in lower case */
		videoNameLowerCase: z.boolean().default(false),
		/** Unicode normalization of stored video names, also of those that a rename sets */
		videoNameForm: z.enum(['given', 'NFC', 'NFD']).default('given'),
		/** How the video list compares names with its query parameter `name` */
		videoNameFilter: z.enum(['contains', 'prefix', 'exact', 'ignored']).default('contains'),
		/** Whether the filter by name is case-sensitive */
		videoNameFilterCase: z.enum(['ignored', 'compared']).default('ignored'),
		/** What the filter by name compares: code points as they are, or in NFC */
		videoNameFilterForm: z.enum(['given', 'NFC']).default('given'),
		/**
		 * Order of the video list when none is requested, and among records that the requested order does not distinguish;
		 * `random` is the same in each response
		 */
		videoOrder: z.enum(['oldestFirst', 'newestFirst', 'random']).default('oldestFirst'),
		/** The video list is in the order `videoOrder`, whatever order is requested */
		videoOrderByIgnored: z.boolean().default(false),

		/** A video list with `sort` is rejected with 400: its values are not documented */
		videoSortRejected: z.boolean().default(false),
	})
	.strict();

export type ServiceSettings = z.infer<typeof settingsSchema>;
export type EventStatus = (typeof eventStatuses)[number];

const { listShape, recordNames, singleShape, writeResponse } = settingsSchema.shape;

/** Every form of the undocumented responses that the fake service knows, for tests of all of them. */
export const responseShapes = {
	listShapes: listShape.removeDefault().options,
	recordNames: recordNames.removeDefault().options,
	singleShapes: singleShape.removeDefault().options,
	writeResponses: writeResponse.removeDefault().options,
};
