import type { Report } from '../n8n/progress';

/** What every check is given. */
export interface MatrixSetup {
	/** The packed package, as `packPackage()` returns it: the same file for all checks. */
	tarball: string;
	report: Report;
}
