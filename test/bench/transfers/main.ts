import { performance } from 'node:perf_hooks';

import {
	withN8nCore,
	sideNames,
	type Folders,
	type SideResult,
	type SideName,
	type Transfer,
	type Upload,
} from './transfer';

/** Each side is loaded alone: n8n-core is not to be in the others' processes. */
const sides: Record<SideName, () => Promise<Upload>> = {
	node: async () => (await import('./node')).uploadWithNode,
	nodeWithoutDigest: async () => {
		(await import('./withoutDigest')).leaveOutDigests();
		return (await import('./node')).uploadWithNode;
	},
	tusJsClient: async () => (await import('./tusJsClient')).uploadWithTusJsClient,
	httpRequest: async () => (await import('./httpRequest')).uploadWithHttpRequest,
};

/**
 * The process of one side, named by its first argument: runs the uploads it receives and sends back how long each took.
 * The word
 * `withN8nCore` as second argument loads n8n-core first, which the process of the node always loads.
 */
async function main(): Promise<void> {
	const side = sideNames.find((name) => name === process.argv[2]);
	if (!side) throw new Error(`One of ${sideNames.join(', ')} is wanted, not "${process.argv[2]}"`);
	if (process.argv[3] === withN8nCore) await import('../../execution/executeNode');
	const upload = await sides[side]();
	// What sides.ts sends.
	process.on('message', (transfer) => void measured(upload, transfer as Transfer & Folders).then(sendResult));
	process.once('disconnect', () => process.exit());
}

async function measured(upload: Upload, transfer: Transfer & Folders): Promise<SideResult> {
	const started = performance.now();
	try {
		await upload(transfer);
		return { milliseconds: performance.now() - started };
	} catch (error) {
		return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
	}
}

function sendResult(message: SideResult): void {
	process.send?.(message);
}

void main();
