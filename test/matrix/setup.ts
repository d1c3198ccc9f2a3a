import { installN8n } from '../n8n/installN8n';
import { packPackage } from '../n8n/package';
import { releases } from '../n8n/releases';

/** Jest's globalSetup: once per run, and before any test's time limit counts. */
export default async function prepare(): Promise<void> {
	await packPackage();
	for (const release of releases) await installN8n(release);
}
