import { installN8n } from '../n8n/installN8n';
import { packPackage } from '../n8n/package';
import { n8n2 } from '../n8n/releases';

/** Jest's globalSetup: once per run, and before any test's time limit counts. */
export default async function prepare(): Promise<void> {
	await packPackage();
	await installN8n(n8n2);
}
