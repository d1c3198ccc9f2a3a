import type { INodeProperties, INodePropertyMode } from 'n8n-workflow';

import { UUID_REGEX } from './identifiers';

/** A record that users pick from a list or name by hand. */
export interface Locator extends Pick<
	INodeProperties,
	'displayName' | 'name' | 'description' | 'typeOptions'
> {
	/** Name of the list search method in `methods/`. */
	searchListMethod: string;
	/** The modes in which the value is typed in. */
	typed: TypedMode[];
}

type TypedMode = Pick<INodePropertyMode, 'displayName' | 'name' | 'placeholder'> & {
	regex: string;
	errorMessage: string;
};

/** A mode in which exactly one record must have the text that is typed in. */
export function nameMode(
	displayName: string,
	name: string,
	placeholder: string,
	errorMessage: string,
): TypedMode {
	return { displayName, name, placeholder, regex: '\\s*\\S[\\s\\S]*', errorMessage };
}

/** `an event`, `a folder` */
function article(displayName: string): string {
	const name = displayName.toLowerCase();
	return /^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`;
}

export function locator({ searchListMethod, typed, ...field }: Locator): INodeProperties {
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
				placeholder: `Select ${article(field.displayName)}…`,
				typeOptions: { searchListMethod, searchable: true },
			},
			...typed.map(({ regex, errorMessage, ...mode }): INodePropertyMode => ({
				...mode,
				type: 'string',
				validation: [{ type: 'regex', properties: { regex, errorMessage } }],
			})),
		],
	};
}

export const folderField = locator({
	displayName: 'Folder',
	name: 'folder',
	description: 'Folder, from the list or by its UUID or exact name. Create and Get Many return the UUID.',
	searchListMethod: 'searchFolders',
	typed: [
		{
			displayName: 'By UUID',
			name: 'uuid',
			placeholder: 'e.g. 6a2f41a3-c54c-4fce-8a01-4c1b9f0e2d3b',
			regex: UUID_REGEX,
			errorMessage: 'Not a UUID: a UUID has 32 hexadecimal digits in five groups',
		},
		nameMode('By Name', 'name', 'e.g. Webinars 2026', 'Enter the name of a folder'),
	],
});
