import {
	updateDisplayOptions,
	type IDataObject,
	type IExecuteFunctions,
	type INodeProperties,
} from 'n8n-workflow';

import type { ContentField } from '../../parameters/field';
import { toFlag, toRequiredText, toText } from '../../parameters/values';
import { toNodeError } from '../../transport/errors';
import { createFolder, findOrCreateFolder, postFolder } from '../../service/folderLookup';
import { isRecord } from '../../shared/jsonFields';
import { folderUuidOf } from '../../service/recordFields';
import { extractRecord } from '../../service/responseParsing';
import { path, requestJson } from '../../transport/request';
import { withoutSecrets } from '../../transport/secrets';
import { setErrorDetails } from '../errorItem';
import { optionsField } from '../fields';
import type { Operation } from '../operation';
import { recordOutput } from '../recordOutput';

const nameField: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. Webinars 2026',
	description: 'Name of the new folder',
};

const descriptionOption: ContentField = {
	displayName: 'Description',
	name: 'description',
	type: 'string',
	default: '',
	placeholder: 'e.g. Recordings of all webinars',
	description: 'Description of the new folder',
	isContent: true,
};

const skipIfExistsOption: INodeProperties = {
	displayName: 'Skip If Exists',
	name: 'skipIfExists',
	type: 'boolean',
	default: false,
	description:
		'Whether to return the existing folder with skipped: true, unchanged, when a folder already has this name',
};

const properties: INodeProperties[] = [nameField, optionsField(descriptionOption, skipIfExistsOption)];

/**
 * See docs/api-reference.md#create-a-gallery, whose only field is the name. A description needs a second request
 * (docs/api-reference.md#update-a-gallery).
 */
export const create: Operation = {
	option: {
		name: 'Create',
		value: 'create',
		description: 'Create a new folder',
		action: 'Create folder',
	},
	properties: updateDisplayOptions({ show: { resource: ['folder'], operation: ['create'] } }, properties),
	async execute(item) {
		const { context, itemIndex, option, read } = item;
		const name = read(nameField, toRequiredText);
		const description = option(descriptionOption, toText);
		const skips = option(skipIfExistsOption, toFlag);
		// Without both options the response is returned as it is: it may contain no record.
		if (!skips && description === '') {
			return recordOutput(await postFolder(context, name, itemIndex), 'folder');
		}
		const { folder, created } = skips
			? await findOrCreateFolder(context, name, itemIndex)
			: { folder: await createFolder(context, name, itemIndex), created: true };
		const described =
			created && description !== '' ? await describe(context, itemIndex, folder, name, description) : folder;
		return { ...withoutSecrets(described), ...(skips ? { skipped: !created } : {}) };
	},
};

/** Sets the description of a folder that was just created. */
async function describe(
	context: IExecuteFunctions,
	itemIndex: number,
	folder: IDataObject,
	name: string,
	description: string,
): Promise<IDataObject> {
	const uuid = folderUuidOf(folder) ?? '';
	try {
		const response = await requestJson(context, {
			method: 'PUT',
			path: path('folders', uuid),
			headers: { 'Content-Type': 'application/json' },
			body: { description },
			itemIndex,
		});
		const record = extractRecord(response, 'folder');
		return { ...folder, description, ...(isRecord(record) ? record : {}) };
	} catch (error) {
		const failure = toNodeError(context, error);
		failure.message = `The folder "${name}" was created (UUID ${uuid}), but its description could not be set. ${failure.message}`;
		setErrorDetails(failure, { uuid, name });
		throw failure;
	}
}
