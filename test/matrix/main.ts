import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';

import { installPrograms } from '../n8n/debianPackages';
import { packPackage } from '../n8n/package';
import { SetupError, type Report } from '../n8n/progress';
import { n8n1, n8n2, type N8nRelease } from '../n8n/releases';
import { checks, isCheckName, programs, runCheck, type CheckName } from './checks';
import { summary, type Row } from './checklist';

const allReleases = [n8n1, n8n2];
const usage =
	'npm run test:matrix -- [--only check,check] [--n8n release]\n\n' +
	`Checks: ${Object.keys(checks).join(', ')}\n` +
	`Releases: ${allReleases.map(({ version }) => version).join(', ')}`;
const report: Report = (line) => console.log(line);

/** Runs the checks, two at a time as they mostly wait, and prints a summary; the exit code is 1 when a row failed. */
async function main(): Promise<void> {
	const options = optionsIn(process.argv.slice(2));
	const names = namesOf(options.only);
	const releases = releasesOf(options.n8n);
	const tarball = await packPackage(report);
	await installPrograms(
		names.flatMap((name) => programs[name] ?? []),
		report,
	);
	const rows: Row[] = [];
	const left = [...names];
	const lane = async () => {
		for (let name = left.shift(); name !== undefined; name = left.shift())
			rows.push(...(await runCheck(name, { tarball, releases, report })));
	};
	try {
		await Promise.all([lane(), lane()]);
	} finally {
		rmSync(dirname(tarball), { recursive: true, force: true });
	}
	console.log(`\n${summary(rows)}`);
	process.exitCode = rows.every(({ passed }) => passed) ? 0 : 1;
}

function namesOf(only: string | undefined): CheckName[] {
	const given = only?.split(',') ?? Object.keys(checks);
	return given.map((name) => {
		if (isCheckName(name)) return name;
		throw new SetupError(`There is no check "${name}".\nUsage: ${usage}`);
	});
}

function releasesOf(version: string | undefined): N8nRelease[] {
	const releases = allReleases.filter((release) => version === undefined || release.version === version);
	if (releases.length > 0) return releases;
	throw new SetupError(`There is no release "${version}" to check.\nUsage: ${usage}`);
}

function optionsIn(args: string[]): { only?: string; n8n?: string } {
	try {
		return parseArgs({ args, options: { only: { type: 'string' }, n8n: { type: 'string' } } }).values;
	} catch (error) {
		throw new SetupError(`${error instanceof Error ? error.message : String(error)}\nUsage: ${usage}`);
	}
}

main().catch((error: unknown) => {
	console.error(error instanceof SetupError ? `\n${error.message}` : error);
	process.exitCode = 1;
});
