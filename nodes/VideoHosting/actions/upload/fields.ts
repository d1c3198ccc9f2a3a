import { optionalFolderField, toOptionalFolder } from '../../parameters/references';
import { flag, number, parameter, text } from '../../parameters/parameter';
import { InvalidParameterError, quoted, toRequiredText } from '../../parameters/values';
import { extractUploadId, isUploadId } from '../../upload/tus/uploadRequests';
import { binaryField, skipIfExistsOption } from '../fields';

/** The longest time that a timer of Node.js accepts, in milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const fileNameField = text({
	displayName: 'File Name',
	name: 'fileName',
	placeholder: 'e.g. keynote.mp4',
	description:
		'Name of the file, and of the new video where Title is empty. Leave it empty to use the name of the binary file, or the one that the server of the URL states, else the last part of the final URL.',
	isContent: true,
});

export const titleField = text({
	displayName: 'Title',
	name: 'title',
	placeholder: 'e.g. Interview, final cut',
	description:
		'Name of the new video, set after the upload. Leave it empty to use the name of the file. Requires a plan ID in the options or in the credential.',
	isContent: true,
});

export const uploadFolderField = parameter(toOptionalFolder, {
	...optionalFolderField,
	description:
		'Folder for the video, from the list or by its UUID or exact name. Leave it empty, or choose No Folder from the list, to upload without one.',
});

export const uploadIdField = parameter(toUploadId, {
	required: true,
	displayName: 'Upload ID',
	name: 'uploadId',
	placeholder: 'e.g. 4f6c1d0e9b',
	description: 'ID or uploadUrl of the upload, from Create or from the error of an interrupted upload',
});

/** Of Upload alone. */
export const binaryFilesField = {
	...binaryField,
	hint: 'The name of the input binary field with the file, several separated by commas, or * for all videos of the item',
	description:
		'Fields of the input item that hold the files. Each file becomes an output item; of several files, File Name and Title must be empty.',
};

/** Of Upload alone. */
export const thumbnailOption = text({
	displayName: 'Thumbnail Binary Field',
	name: 'thumbnailBinaryPropertyName',
	collection: 'options',
	placeholder: 'e.g. thumbnail',
	description:
		'Name of the field of the input item that holds the image for the thumbnail of the new video; not a URL. Requires a plan ID here or in the credential.',
});

/** By name; Upload has all of them. */
export const uploadOptions = {
	idleTimeoutSeconds: number(
		{ min: 0.05, max: Math.floor(LONGEST_TIMER_MS / 1000) },
		{
			displayName: 'Idle Timeout (Seconds)',
			name: 'idleTimeoutSeconds',
			collection: 'options',
			typeOptions: { minValue: 1 },
			default: 60,
			description:
				'How long the connection may be idle before the upload resumes over a new one. An upload that makes progress has no time limit.',
		},
	),
	maxRequestMegabytes: number(
		{ min: 0, max: Number.MAX_SAFE_INTEGER / 2 ** 20 },
		{
			displayName: 'Max Request Size (MB)',
			name: 'maxRequestMegabytes',
			collection: 'options',
			typeOptions: { minValue: 0 },
			default: 0,
			description:
				'Largest request body in megabytes (1,048,576 bytes), for a proxy that limits it. With 0, one request sends all remaining bytes.',
		},
	),
	maxWaitMinutes: number(
		{ min: 0, max: Math.floor(LONGEST_TIMER_MS / 60_000) },
		{
			displayName: 'Max Wait (Minutes)',
			name: 'maxWaitMinutes',
			collection: 'options',
			typeOptions: { minValue: 0 },
			default: 60,
			description:
				'How long an item waits while another upload of the application is active. Once an item has waited this long, the next ones of the run do not wait.',
		},
	),
	resumeUnfinished: flag({
		displayName: 'Resume Unfinished',
		name: 'resumeUnfinished',
		collection: 'options',
		default: true,
		description:
			'Whether to resume an interrupted upload of the same file (name, size, folder and content) that this n8n remembers, instead of starting a new one',
	}),
	returnVideo: flag({
		displayName: 'Return Video',
		name: 'returnVideo',
		collection: 'options',
		default: true,
		description:
			'Whether to find the new video in the plan after the upload and return it. Requires a plan ID here or in the credential.',
	}),
	skipIfExists: {
		...skipIfExistsOption,
		description:
			'Whether to skip the upload and return the existing video when the chosen folder, or without one the plan, already has a video of that name. Add it to run a workflow again safely. The name is the Title, or without one the file name, with or without a usual video extension. Requires a plan ID here or in the credential.',
	},
};

/** An ID, or an address that ends in one. */
function toUploadId(label: string, value: unknown): string {
	const text = toRequiredText(label, value);
	const uploadId = isUploadId(text) ? text : /\/videos\/uploads\//.test(text) && extractUploadId(text);
	if (uploadId) return uploadId;
	throw new InvalidParameterError(
		`${label} ${quoted(text)} is not valid: an ID has no slash, question mark, # or white space`,
		'Enter the uploadId or the uploadUrl that Create returned.',
	);
}
