import type { ServiceSettings } from './settings';

/** The name of the video that an upload becomes. */
export function nameOfUpload(filename: string, settings: ServiceSettings): string {
	return settings.videoNameKeepsExtension ? filename : filename.replace(/\.[^.]+$/, '');
}

/** Whether the video list's filter by name lets a video pass. */
export function matchesName(name: string, wanted: string, settings: ServiceSettings): boolean {
	const [stored, part] = [name.toLowerCase(), wanted.toLowerCase()];
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
