const names = { userFolder: 'N8N_USER_FOLDER', packageFolder: 'N8N_NODES_VIDEO_HOSTING_FOLDER' };

/** What the process of a side finds in its environment. */
export function environmentOf(userFolder: string, packageFolder: string): NodeJS.ProcessEnv {
	return { [names.userFolder]: userFolder, [names.packageFolder]: packageFolder };
}

/** n8n's user folder of this process, where n8n-core looks for binary data. */
export function userFolder(): string {
	return required(names.userFolder);
}

/** Folder of the installed package. */
export function packageFolder(): string {
	return required(names.packageFolder);
}

function required(name: string): string {
	const value = process.env[name];
	if (value === undefined) throw new Error(`${name} is not set: sides.ts starts this process`);
	return value;
}
