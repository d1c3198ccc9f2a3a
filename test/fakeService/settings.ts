import { z } from 'zod';

export const eventStatuses = ['ON_DEMAND', 'WAITING_LIVE', 'LIVE'] as const;
const eventStatus = z.enum(eventStatuses);
const milliseconds = z.number().int().nonnegative();
const count = z.number().int().nonnegative();

/**
 * Everything the reference leaves open, each with its default in the fake service.
 * A running service reads its settings at every request.
 */
export const settingsSchema = z
	.object({
		host: z.string().default('127.0.0.1').describe('Address to listen on'),
		port: z
			.number()
			.int()
			.min(0)
			.max(65_535)
			.default(0)
			.describe('Port to listen on; 0 lets the system choose'),
		tls: z
			.object({ key: z.string(), cert: z.string() })
			.optional()
			.describe('Private key and certificate (PEM): the service then speaks HTTPS'),

		email: z.string().default('producer@example.com').describe('Email of the account'),
		password: z.string().default('correct horse battery staple').describe('Password of the account'),
		applicationId: z
			.string()
			.uuid()
			.default('3f1d8c1e-6f0b-4a57-9f3e-2b6f5f0c9a11')
			.describe('Application UUID, sent as `resource`'),
		otherApplicationIds: z
			.array(z.string().uuid())
			.default([])
			.describe('Further applications of the same account; each has its own upload slot'),
		planId: z.string().default('plan-1001').describe('Plan that uploaded videos belong to'),
		plans: z
			.record(z.string())
			.default({ 'plan-1001': 'plan-secret-7Qm2', 'plan-2002': 'plan-secret-9Xz4' })
			.describe('Plan secrets by plan ID'),

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
			.default('token')
			.describe(
				'Where the response to authenticate carries the token; `string` is a JSON string, `text` plain text',
			),
		tokenForm: z
			.enum(['opaque', 'jwt'])
			.default('opaque')
			.describe('Form of the tokens: a random text, or a JSON Web Token'),
		tokenLifetimeMs: milliseconds
			.default(0)
			.describe('A token is rejected this long after it was issued; 0 = never'),
		tokenLifetimeRequests: count.default(0).describe('A token serves this many requests; 0 = any number'),
		expiredTokenStatus: z
			.union([z.literal(401), z.literal(403)])
			.default(401)
			.describe('Status for a token that is missing, unknown or expired'),

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
			.default('array')
			.describe('How lists are wrapped; `resource` is the key events, folders or videos'),
		emptyList: z
			.enum(['list', '404', 'null'])
			.default('list')
			.describe('What an empty list looks like: the list shape without records, 404 with an error, or null'),
		singleShape: z
			.enum(['record', 'data', 'resource', 'array'])
			.default('record')
			.describe('How one record is wrapped; `resource` is the key event, folder or video'),
		writeResponse: z
			.enum(['record', 'success', 'empty', 'emptyArray'])
			.default('record')
			.describe(
				'Response to writes the reference does not show: the record, {success: text}, no body, or an array without elements',
			),
		errorsAsSuccess: z
			.enum(['off', 'error', 'success'])
			.default('off')
			.describe(
				'A rejected request gets its own status, or 200 with {error: text} or {success: false, message: text}',
			),
		recordSiblings: z
			.record(z.unknown())
			.default({})
			.describe('Fields next to a record that is wrapped (`singleShape` data or resource)'),
		extraEventFields: z.record(z.unknown()).default({}).describe('Further fields of every event record'),
		statusField: z
			.enum(['status', 'liveStatus', 'spaced', 'undocumented'])
			.default('status')
			.describe(
				'Where an event record has its documented status: in `status`, in `liveStatus` next to `status: "active"`, in `status` as lower-case words, or nowhere (`status: "active"`)',
			),
		eventDates: z
			.enum(['documented', 'dayFirst', 'milliseconds', 'httpDate'])
			.default('documented')
			.describe(
				'How event records contain their date: as it was sent, as `DD/MM/YYYY HH:mm`, or as a moment in UTC, in milliseconds since the epoch or as `Wed, 01 May 2030 18:00:00 GMT`',
			),
		recordNames: z
			.enum(['camelCase', 'snake_case', 'plain', 'nestedPlan'])
			.default('camelCase')
			.describe('Names of the fields of event and video records'),
		secretInEveryResponse: z
			.boolean()
			.default(false)
			.describe('Event records carry the plan secret in every response, not only in search-all'),
		diskUsageShape: z
			.enum(['object', 'number'])
			.default('object')
			.describe('Response of the disk usage operations'),

		defaultPageSize: z.number().int().positive().default(20).describe('Videos per page'),
		pageSizeCap: count.default(0).describe('Most records on one page, whatever was requested; 0 = no cap'),
		pageSizeLimit: count
			.default(0)
			.describe('A larger page size of events is rejected with `pageSizeLimitStatus`; 0 = no limit'),
		pageSizeLimitStatus: z
			.union([z.literal(400), z.literal(422)])
			.default(400)
			.describe('Status for a page size above `pageSizeLimit`'),
		pageNumberIgnored: z.boolean().default(false).describe('Every page is the first one'),
		firstEventPage: z
			.union([z.literal(0), z.literal(1)])
			.default(1)
			.describe('Number of the first page of events'),
		pageBeforeFirst: z
			.enum(['400', '404', '500', 'empty', 'firstPage'])
			.default('400')
			.describe(
				'Response to event page 0 when the first one is 1: an error status, a list without records, or the first page',
			),
		pastLastPage: z
			.enum(['empty', 'lastPage', '204', 'emptyBody', 'null', '400', '404', '416', '500'])
			.default('empty')
			.describe(
				'Response to a page beyond the last one (but not to page 1): a list without records, the last page again, an empty body, null, or a status',
			),

		eventsKeepOrder: z
			.boolean()
			.default(false)
			.describe('Events are listed in the order in which they were added, whatever order is requested'),
		statusOfNewEvent: eventStatus.default('WAITING_LIVE').describe('Status of an event just created'),
		statusAfterEnd: eventStatus.default('ON_DEMAND').describe('Status that follows an END'),
		startOrEndActionField: z
			.string()
			.default('status')
			.describe('Body field of start-or-end that contains LIVE or END'),

		folderPageSize: count.default(0).describe('Folders per page of the folder list; 0 = all at once'),
		folderPaging: z
			.enum(['total', 'totalPages', 'hasNext', 'next', 'unannounced'])
			.default('total')
			.describe('How a paged folder list shows that there is more; `unannounced` is a bare array'),
		folderNesting: z
			.enum(['flat', 'children', 'subfolders'])
			.default('flat')
			.describe('Folders with a parent are listed like all others, or in a field of their parent'),
		foldersDeleted: z
			.union([z.literal(0), z.literal(1)])
			.default(1)
			.describe('Number that deleting a folder returns; with 0 the folder stays'),
		folderDeleteChecksName: z
			.boolean()
			.default(true)
			.describe('Deleting a gallery with another name is rejected'),
		thumbnailNeedsImageType: z
			.boolean()
			.default(true)
			.describe('A thumbnail whose part is not of an image type is rejected'),

		patchReturnsOffset: z.boolean().default(false).describe('Responses to PATCH contain Upload-Offset'),
		headReturnsLength: z.boolean().default(false).describe('Responses to HEAD contain Upload-Length'),
		patchNeedsWholeRest: z
			.boolean()
			.default(false)
			.describe('Content-Length must be all remaining bytes, the literal reading of the reference'),
		locationForm: z
			.enum(['protocolRelative', 'absolute', 'path', 'hostile'])
			.default('protocolRelative')
			.describe('Form of Location; `hostile` names the host evil.example'),
		slotHeldBy: z
			.enum(['unfinished', 'transferring'])
			.default('unfinished')
			.describe(
				'Which upload occupies the slot of its application: any unfinished one, or only one whose PATCH the service is receiving',
			),
		concurrentPatchStatus: z
			.union([z.literal(409), z.literal(423), z.literal(429)])
			.default(429)
			.describe('Status of a PATCH to an upload whose earlier PATCH is still in progress'),
		uploadIds: z
			.enum(['uuid', 'numeric'])
			.default('uuid')
			.describe('Upload IDs are UUIDs, or count 1, 2, 3, … in each service'),
		dropsFinishedUploads: z
			.boolean()
			.default(false)
			.describe('A complete upload is unknown from then on: HEAD and PATCH return 404'),
		uploadIdPrefix: z
			.string()
			.default('')
			.describe('What every upload ID begins with, as it is written in Location'),
		unfinishedUploadExpiryMs: milliseconds
			.default(0)
			.describe('An unfinished upload untouched for this long is forgotten; 0 = never'),
		hashing: z.boolean().default(true).describe('Keep a SHA-256 of each upload; off for benchmarks'),
		keepBytes: z.boolean().default(false).describe('Keep the bytes of each upload in memory'),
		videoAppearsAfterMs: milliseconds
			.default(0)
			.describe('A complete upload is listed as a video this long after its last byte'),
		videoLagSpreadMs: milliseconds
			.default(0)
			.describe(
				'Added to `videoAppearsAfterMs`: less than this, another part of it for each video, so that videos are listed out of order',
			),
		videoLagSeed: z.number().int().default(1).describe('Determines the parts of `videoLagSpreadMs`'),
		folderAppearsAfterMs: milliseconds
			.default(0)
			.describe('A folder that was created is listed this long after; its UUID works at once'),
		videoSizes: z.boolean().default(true).describe('Video records contain the size of their file'),
		videoFolders: z.boolean().default(true).describe('Video records contain their folder'),
		videoDates: z
			.enum(['milliseconds', 'seconds', 'day', 'epoch', 'none'])
			.default('milliseconds')
			.describe(
				'How video records contain their date: ISO 8601 with milliseconds, with seconds, the day alone, a number of milliseconds, or not at all',
			),
		videoDatedAt: z
			.enum(['completion', 'creation', 'listing'])
			.default('completion')
			.describe(
				'What the date of a video is: when its upload was complete or created, or when it was listed',
			),
		clockOffsetMinutes: z
			.number()
			.default(0)
			.describe(
				"How far the service's clock is ahead of the true time; also in the Date header of its responses. Negative: behind",
			),
		videoNameKeepsExtension: z
			.boolean()
			.default(true)
			.describe('The video record of an upload keeps the extension of the file name'),
		videoNameSanitized: z
			.boolean()
			.default(false)
			.describe(
				'In the file name of an upload, each character other than ASCII letters, digits, `.`, `_` and `-` becomes `_`',
			),
		videoNameLowerCase: z
			.boolean()
			.default(false)
			.describe('The file name of an upload is stored in lower case'),
		videoNameForm: z
			.enum(['given', 'NFC', 'NFD'])
			.default('given')
			.describe('Unicode normalization of stored video names, also of those that a rename sets'),
		videoNameLength: count
			.default(0)
			.describe('Video names are cut off after so many characters, also those that a rename sets; 0 = never'),
		videoNameFilter: z
			.enum(['contains', 'prefix', 'exact', 'ignored'])
			.default('contains')
			.describe('How the video list compares names with its query parameter `name`'),
		videoNameFilterCase: z
			.enum(['ignored', 'compared'])
			.default('ignored')
			.describe('Whether the filter by name is case-sensitive'),
		videoNameFilterForm: z
			.enum(['given', 'NFC'])
			.default('given')
			.describe('What the filter by name compares: code points as they are, or in NFC'),
		videoOrder: z
			.enum(['oldestFirst', 'newestFirst', 'random'])
			.default('oldestFirst')
			.describe(
				'Order of the video list when none is requested, and among records that the requested order does not distinguish; `random` is the same in each response',
			),
		videoOrderByIgnored: z
			.boolean()
			.default(false)
			.describe('The video list is in the order `videoOrder`, whatever order is requested'),

		videoSortRejected: z
			.boolean()
			.default(false)
			.describe('A video list with `sort` is rejected with 400: its values are not documented'),

		latencyMs: milliseconds.default(0).describe('Pause before each request is handled'),
	})
	.strict();

export type ServiceSettings = z.infer<typeof settingsSchema>;
export type EventStatus = z.infer<typeof eventStatus>;

const { listShape, recordNames, singleShape, writeResponse } = settingsSchema.shape;

/** Every form of the undocumented responses that the fake service knows, for tests of all of them. */
export const responseShapes = {
	listShapes: listShape.removeDefault().options,
	recordNames: recordNames.removeDefault().options,
	singleShapes: singleShape.removeDefault().options,
	writeResponses: writeResponse.removeDefault().options,
};
