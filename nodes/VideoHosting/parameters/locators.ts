import type { INodeProperties, INodePropertyMode } from 'n8n-workflow';

import { HASH_REGEX, HASH_RULE, UUID_REGEX } from './references';

/** A record that users pick from a list or name by hand. */
interface Locator extends Pick<INodeProperties, 'displayName' | 'name' | 'description' | 'typeOptions'> {
	/** Example: `an event`. */
	what: string;
	/** Name of the list search method in `methods/`. */
	searchListMethod: string;
	/** The modes besides the list. */
	typed: INodePropertyMode[];
}

export function locator({ what, searchListMethod, typed, ...field }: Locator): INodeProperties {
	return {
		...field,
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select ${what}…`,
				typeOptions: { searchListMethod, searchable: true },
			},
			...typed,
		],
	};
}

/** A mode in which the value is typed in. */
export function typedMode(
	mode: Pick<INodePropertyMode, 'displayName' | 'name' | 'placeholder'>,
	regex: string,
	errorMessage: string,
): INodePropertyMode {
	return { ...mode, type: 'string', validation: [{ type: 'regex', properties: { regex, errorMessage } }] };
}

export function hashMode(placeholder: string, what: string): INodePropertyMode {
	const mode = { displayName: 'By Hash', name: 'hash', placeholder };
	return typedMode(mode, HASH_REGEX, `Not ${what} hash: ${HASH_RULE}`);
}

/** A mode in which exactly one record must have the text that is typed in. */
export function nameMode(name: 'name' | 'title', placeholder: string, what: string): INodePropertyMode {
	const displayName = name === 'title' ? 'By Title' : 'By Name';
	return typedMode({ displayName, name, placeholder }, '\\s*\\S[\\s\\S]*', `Enter the ${name} of ${what}`);
}

const folder = {
	displayName: 'Folder',
	name: 'folder',
	description: 'Folder, from the list or by its UUID or exact name. Create and Get Many return the UUID.',
	what: 'a folder',
	typed: [
		typedMode(
			{ displayName: 'By UUID', name: 'uuid', placeholder: 'e.g. 6a2f41a3-c54c-4fce-8a01-4c1b9f0e2d3b' },
			UUID_REGEX,
			'Not a UUID: a UUID has 32 hexadecimal digits in five groups',
		),
		nameMode('name', 'e.g. Webinars 2026', 'a folder'),
	],
};

export const folderField = locator({ ...folder, searchListMethod: 'searchFolders' });

export const optionalFolderField = {
	...locator({ ...folder, searchListMethod: 'searchOptionalFolders' }),
	required: undefined,
};
