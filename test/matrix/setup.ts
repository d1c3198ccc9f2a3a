import { startService, type RunningService, type ServiceSettings } from '../fakeService';
import { startN8n, type RunningN8n } from '../n8n/instance';
import type { Report } from '../n8n/progress';
import type { N8nRelease } from '../n8n/releases';
import type { Checklist } from './checklist';

/** What every check is given. */
export interface MatrixSetup {
	/** The packed package, as `packPackage()` returns it: the same file for all checks. */
	tarball: string;
	/** Releases to check; a check that is for some releases alone leaves the others out. */
	releases: N8nRelease[];
	report: Report;
}

/** Starts what a check needs of one release; all of it ends with the check. */
export interface Place {
	release: N8nRelease;
	/** A row of the checklist about this release. */
	row: (what: string, work: () => Promise<string>) => Promise<void>;
	service: (settings?: Partial<ServiceSettings>) => Promise<RunningService>;
	/** @param env environment variables that win over the harness's own */
	n8n: (env: Record<string, string>) => Promise<RunningN8n>;
	/** Has something ended or deleted when the check of this release is over. */
	endLater: (end: () => Promise<void> | void) => void;
}

/** Checks each release of the setup, one after the other. */
export async function inEachRelease(
	checklist: Checklist,
	{ tarball, releases, report }: MatrixSetup,
	check: (place: Place) => Promise<void>,
): Promise<void> {
	for (const release of releases) {
		const ends: Array<() => Promise<void> | void> = [];
		const place: Place = {
			release,
			row: async (what, work) => await checklist.row(what, release.version, work),
			service: async (settings) => {
				const service = await startService(settings);
				ends.push(async () => await service.close());
				return service;
			},
			n8n: async (env) => {
				const n8n = await startN8n({ release, packageTarball: tarball, env, report });
				ends.push(async () => await n8n.remove());
				return n8n;
			},
			endLater: (end) => void ends.push(end),
		};
		try {
			await check(place);
		} finally {
			for (const end of ends.reverse()) await end();
		}
	}
}
