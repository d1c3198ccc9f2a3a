import { installN8n } from './installN8n';
import { packPackage } from './package';
import { n8n2, releases } from './releases';

/** Jest's globalSetup of the tests that start n8n: once per run, and before any test's time limit counts. */
export default async function prepare(
	_globalConfig: unknown,
	{ displayName }: { displayName: { name: string } },
): Promise<void> {
	await packPackage();
	const needed = displayName.name === 'endToEnd' ? [n8n2] : releases;
	for (const release of needed) await installN8n(release);
}
