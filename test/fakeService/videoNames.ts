import type { ServiceSettings } from './settings';

/** The name of the video that an upload becomes. */
export function nameOfUpload(filename: string, settings: ServiceSettings): string {
	const { videoNameKeepsExtension, videoNameSanitized, videoNameLowerCase } = settings;
	let name = videoNameKeepsExtension ? filename : filename.replace(/\.[^.]+$/, '');
	if (videoNameSanitized) name = name.replace(/[^A-Za-z0-9._-]/gu, '_');
	if (videoNameLowerCase) name = name.toLowerCase();
	return nameAfterRename(name, settings);
}

/** What the service stores of a name that a rename sets. */
export function nameAfterRename(name: string, { videoNameForm }: ServiceSettings): string {
	return videoNameForm === 'given' ? name : name.normalize(videoNameForm);
}

/** Whether the video list's filter by name lets a video pass. */
export function matchesName(name: string, wanted: string, settings: ServiceSettings): boolean {
	const compared = (text: string) => {
		const form = settings.videoNameFilterForm === 'NFC' ? text.normalize('NFC') : text;
		return settings.videoNameFilterCase === 'ignored' ? form.toLowerCase() : form;
	};
	const [stored, part] = [compared(name), compared(wanted)];
	switch (settings.videoNameFilter) {
		case 'contains':
			return stored.includes(part);
		case 'prefix':
			return stored.startsWith(part);
		case 'exact':
			return stored === part;
		case 'ignored':
			return true;
	}
}
