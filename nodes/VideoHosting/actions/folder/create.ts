import { requiredText, text } from '../../parameters/parameter';
import { quoted } from '../../parameters/values';
import { toFolder, type Folder } from '../../service/folder';
import { createFolder } from '../../service/folders';
import { isRecord } from '../../shared/jsonFields';
import { recordIn } from '../../transport/response';
import { around } from '../../transport/serviceError';
import { skipIfExistsOption } from '../fields';
import type { Item, Operation } from '../operation';

const nameField = requiredText({
	displayName: 'Name',
	name: 'name',
	placeholder: 'e.g. Webinars 2026',
	description: 'Name of the new folder',
});

const descriptionOption = text({
	displayName: 'Description',
	name: 'description',
	collection: 'options',
	placeholder: 'e.g. Recordings of all webinars',
	description: 'Description of the new folder',
	isContent: true,
});

const skipOption = {
	...skipIfExistsOption,
	description:
		'Whether to return the existing folder with skipped: true, unchanged, when a folder already has this name',
};

/**
 * See docs/api-reference.md#create-a-gallery, whose only field is the name. A description needs a second request
 * (docs/api-reference.md#update-a-gallery).
 */
export const create: Operation = {
	name: 'Create',
	description: 'Create a new folder',
	action: 'Create folder',
	parameters: [nameField, descriptionOption, skipOption],
	skips: { items: 'folders', existing: 'folders of these names' },
	async execute(item) {
		const name = item.read(nameField);
		const description = item.read(descriptionOption);
		const skips = item.read(skipOption);
		const needed = { skipIfExists: skips, isIdentified: skips || description !== '' };
		const { item: folder, isNew } = await createFolder(item.context, name, needed);
		const isDescribed = isNew && description !== '';
		const described = isDescribed ? await describedFolder(item, folder, name, description) : folder.record;
		return { ...described, ...(skips ? { skipped: !isNew } : {}) };
	},
};

/** @throws OperationError that is not repeated: the folder was created */
async function describedFolder(item: Item, folder: Folder, name: string, description: string) {
	const { uuid = '' } = folder;
	try {
		const response = await item.request('PUT', ['folders', uuid], { description });
		const record = recordIn(response, 'folder');
		return toFolder({ ...folder.record, description, ...(isRecord(record) ? record : {}) }).record;
	} catch (error) {
		const before = `The folder ${quoted(name)} was created (UUID ${uuid}), but its description could not be set:`;
		const advice = 'Set it with Folder → Update.';
		throw around(error, { before, advice, mayBeCarriedOut: true, output: { uuid, name } });
	}
}
