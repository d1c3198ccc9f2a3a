import { dirname, join } from 'node:path';

import { packPackage } from './package';
import { installN8n } from './installN8n';
import { n8n2 } from './releases';

const variable = 'N8N_NODES_VIDEO_HOSTING_TARBALL';

/** Jest's globalSetup of the tests that start n8n: once per run, and before any test's time limit counts. */
export default async function prepare(): Promise<void> {
	const report = (line: string) => process.stderr.write(`${line}\n`);
	[process.env[variable]] = await Promise.all([packPackage(report), installN8n(n8n2, report)]);
}

/** Path of the package as packed for this test run. */
export function packedPackage(): string {
	const tarball = process.env[variable];
	if (tarball === undefined)
		throw new Error('This test belongs to a Jest project with test/n8n/jestSetup.ts as globalSetup');
	return tarball;
}

/** Where the test run writes down which n8n its test files share, once it is running. */
export function sharedN8nFile(): string {
	return join(dirname(packedPackage()), 'n8n.json');
}
