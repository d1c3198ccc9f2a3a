import type { Program } from '../n8n/debianPackages';
import { checkBinaryModes } from './binaryModes';
import { Checklist, type Row } from './checklist';
import { checkLimits } from './limits';
import { checkProxy } from './proxy';
import { checkQueue } from './queue';
import type { MatrixSetup } from './setup';
import { checkSsrfGuard } from './ssrfGuard';
import { checkVersions } from './versions';

/** Every check by the name that `--only` accepts, in the order in which they run. */
export const checks = {
	versions: checkVersions,
	queue: checkQueue,
	binaryModes: checkBinaryModes,
	proxy: checkProxy,
	limits: checkLimits,
	ssrfGuard: checkSsrfGuard,
} satisfies Record<string, (checklist: Checklist, setup: MatrixSetup) => Promise<void>>;

export type CheckName = keyof typeof checks;

/** What a check needs from Debian; installed before any check begins, as apt-get does one thing at a time. */
export const programs: Partial<Record<CheckName, Program[]>> = {
	queue: ['redis-server', 'postgres'],
	proxy: ['tinyproxy'],
};

export function isCheckName(name: string): name is CheckName {
	return Object.hasOwn(checks, name);
}

/** Runs one check and returns its rows; one that throws ends with a failed row that contains the reason. */
export async function runCheck(name: CheckName, setup: MatrixSetup): Promise<Row[]> {
	const { report } = setup;
	const checklist = new Checklist(name, ({ what, n8n, passed, figures }) =>
		report(`${passed ? 'ok    ' : 'FAILED'} ${name}, n8n ${n8n}: ${what}: ${figures}`),
	);
	try {
		await checks[name](checklist, setup);
	} catch (error) {
		await checklist.row('the check as a whole', '', () => {
			throw error;
		});
	}
	return checklist.rows;
}
