import 'reflect-metadata';

import { Container } from '@n8n/di';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

// n8n-core reads it when it is loaded: nothing of these tests goes into the user's own n8n.
if (process.env.N8N_USER_FOLDER === undefined) {
	const folder = mkdtempSync(path.join(tmpdir(), 'video-hosting-execution-'));
	process.env.N8N_USER_FOLDER = folder;
	process.once('exit', () => {
		rmSync(folder, { recursive: true, force: true });
	});
}
// A passing run is quiet; tests read what a node logs from NodeRunResult.log. N8N_LOG_LEVEL=debug shows n8n's own log.
process.env.N8N_LOG_LEVEL ??= 'silent';
process.env.N8N_BLOCK_FILE_ACCESS_TO_N8N_FILES ??= 'false';

import { BinaryDataService, InstanceSettings } from 'n8n-core';

let ready: Promise<BinaryDataService> | undefined;

/** n8n-core with its binary data in `filesystem-v2`, the default since n8n 2.0, in a scratch folder. */
export async function binaryDataService(): Promise<BinaryDataService> {
	ready ??= (async () => {
		Container.get(InstanceSettings);
		const service = Container.get(BinaryDataService);
		await service.init();
		return service;
	})();
	return await ready;
}
