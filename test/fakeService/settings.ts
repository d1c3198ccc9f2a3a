import { z } from 'zod';

export const eventStatuses = ['ON_DEMAND', 'WAITING_LIVE', 'LIVE'] as const;
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

		/** Status for a token that is missing, unknown or expired */
		expiredTokenStatus: z.union([z.literal(401), z.literal(403)]).default(401),

		/** How lists are wrapped; each object says how many records there are, or how many pages */
		listShape: z.enum(['array', 'data', 'items', 'data.items', 'data+meta', 'data+pages']).default('array'),
		/** How one record is wrapped */
		singleShape: z.enum(['record', 'data']).default('record'),
		/** Response to writes the reference does not show: the record, {success: text}, or no body */
		writeResponse: z.enum(['record', 'success', 'empty']).default('record'),
		/** Names of the fields of event and video records */
		recordNames: z.enum(['camelCase', 'snake_case']).default('camelCase'),
		/** Event records carry the plan secret in every response, not only in search-all */
		secretInEveryResponse: z.boolean().default(false),
		/** Where an event record carries the plan secret, so do its fields `eventSecret` and `embedUrl`, in a query */
		secretElsewhere: z.boolean().default(false),

		/** How titles of events are stored: as sent, without zero-width characters, with `?` for them, or as HTML escapes them */
		titles: z.enum(['kept', 'stripped', 'question marks', 'escaped']).default('kept'),
		/** How event records contain their date: as sent, or `2030-05-01T18:00:00Z` */
		eventDates: z.enum(['as sent', 'Z']).default('as sent'),
		/** An event that was created is listed this long after; it is found by its hash at once */
		eventAppearsAfterMs: count.default(0),
		/** Longer titles and names are cut to so many characters; 0 = none */
		namesCutAt: count.default(0),
		/** Titles and names lose `<`, `>` and emoji, and dots and spaces at their end */
		namesStripped: z.boolean().default(false),

		/** Videos per page */
		defaultPageSize: z.number().int().positive().default(20),
		/** Most records on one page, whatever was requested; 0 = no cap */
		pageSizeCap: count.default(0),
		/** A larger page size of events is rejected with 400; 0 = no limit */
		pageSizeLimit: count.default(0),
		/** Events and videos of equal dates come in another order on each page */
		tiesShuffled: z.boolean().default(false),
		/** Number of the first page of events */
		firstEventPage: z.union([z.literal(0), z.literal(1)]).default(1),
		/** Response to event page 0 when the first one is 1: an error of the service, or a list without records */
		pageBeforeFirst: z.enum(['400', '500', 'empty']).default('400'),
		/** Response to a page beyond the last one: a list without records, the last page again, or 404 */
		pastLastPage: z.enum(['empty', 'lastPage', '404']).default('empty'),

		/** Responses to PATCH contain Upload-Offset */
		patchReturnsOffset: z.boolean().default(false),
		/** Responses to HEAD contain Upload-Length */
		headReturnsLength: z.boolean().default(false),
		/** Form of Location; `hostile` names the host evil.example */
		locationForm: z.enum(['protocolRelative', 'absolute', 'path', 'hostile']).default('protocolRelative'),
		/**
		 * Which upload occupies the slot of its application: any unfinished one, or only one whose PATCH the service is
		 * receiving
		 */
		slotHeldBy: z.enum(['unfinished', 'transferring']).default('unfinished'),
		/** A complete upload is unknown from then on: HEAD and PATCH return 404 */
		dropsFinishedUploads: z.boolean().default(false),
		/** Keep a SHA-256 of each upload; off for benchmarks */
		hashing: z.boolean().default(true),
		/** A complete upload is listed as a video this long after its last byte */
		videoAppearsAfterMs: count.default(0),
		/** A folder that was created is listed this long after; its UUID works at once */
		folderAppearsAfterMs: count.default(0),
		/** Video records contain the size of their file */
		videoSizes: z.boolean().default(true),
		/** How video records contain their folder: `folder_uuid`, `folder` with its name or its ID, or not at all */
		videoFolders: z.enum(['uuid', 'name', 'id', 'none']).default('uuid'),
		/** How video records contain their date: ISO 8601 with milliseconds, the day alone, or not at all */
		videoDates: z.enum(['milliseconds', 'day', 'none']).default('milliseconds'),
		/** The video record of an upload keeps the extension of the file name */
		videoNameKeepsExtension: z.boolean().default(true),
		/** How the video list compares names with its query parameter `name` */
		videoNameFilter: z.enum(['contains', 'exact']).default('contains'),
		/** The video list has the oldest one first, whatever order is requested */
		videoOrderByIgnored: z.boolean().default(false),
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
