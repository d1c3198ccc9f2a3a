import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';

import { packPackage } from '../n8n/package';
import { SetupError, type Report } from '../n8n/progress';
import { checks, isCheckName, runCheck, type CheckName } from './checks';
import { summary, type Row } from './checklist';

const usage = `npm run test:matrix -- [--only check,check]\n\nChecks: ${Object.keys(checks).join(', ')}`;
const report: Report = (line) => console.log(line);

/** Runs the checks one after the other and prints a summary; the exit code is 1 when a row failed. */
async function main(): Promise<void> {
	const names = namesOf(process.argv.slice(2));
	const tarball = await packPackage(report);
	const rows: Row[] = [];
	try {
		for (const name of names) rows.push(...(await runCheck(name, { tarball, report })));
	} finally {
		rmSync(dirname(tarball), { recursive: true, force: true });
	}
	console.log(`\n${summary(rows)}`);
	process.exitCode = rows.every(({ passed }) => passed) ? 0 : 1;
}

function namesOf(args: string[]): CheckName[] {
	const given = optionsIn(args).only?.split(',') ?? Object.keys(checks);
	return given.map((name) => {
		if (isCheckName(name)) return name;
		throw new SetupError(`There is no check "${name}".\nUsage: ${usage}`);
	});
}

function optionsIn(args: string[]): { only?: string } {
	try {
		return parseArgs({ args, options: { only: { type: 'string' } } }).values;
	} catch (error) {
		throw new SetupError(`${error instanceof Error ? error.message : String(error)}\nUsage: ${usage}`);
	}
}

main().catch((error: unknown) => {
	console.error(error instanceof SetupError ? `\n${error.message}` : error);
	process.exitCode = 1;
});
