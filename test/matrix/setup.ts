import type { Report } from '../n8n/progress';
import type { N8nRelease } from '../n8n/releases';

/** What every check is given. */
export interface MatrixSetup {
	/** The packed package, as `packPackage()` returns it: the same file for all checks. */
	tarball: string;
	/** Releases to check; a check that is for some releases alone leaves the others out. */
	releases: N8nRelease[];
	report: Report;
}
