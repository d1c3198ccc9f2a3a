import { updateDisplayOptions } from 'n8n-workflow';

import { listFolders } from '../../service/folders';
import { withoutSecrets } from '../../transport/secrets';
import { limitField, returnAllField } from '../fields';
import type { Operation } from '../operation';
import { limitOf } from '../parameters';

/** See docs/api-reference.md#list-galleries. */
export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		description: 'Get many folders of the application',
		action: 'Get many folders',
	},
	properties: updateDisplayOptions({ show: { resource: ['folder'], operation: ['getAll'] } }, [
		returnAllField,
		limitField,
	]),
	async execute(item) {
		const { context, itemIndex } = item;
		const limit = limitOf(item);
		const folders = await listFolders(context, itemIndex);
		return withoutSecrets(folders.slice(0, limit));
	},
};
