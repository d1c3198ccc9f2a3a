import { cpSync, watch } from 'node:fs';
import { join } from 'node:path';

import packageJson from '../package.json';
import type { RunningN8n } from '../test/n8n/instance';
import { startProgram } from '../test/n8n/processes';

const repository = join(__dirname, '..');
const dist = join(repository, 'dist');
/** Longer than esbuild takes to write all files of one build, in milliseconds. */
const quietMilliseconds = 1_000;

/**
 * With this environment n8n watches its node packages, loads one again when its files change, and lets the open editors
 * know (n8n 2.41.1, dist/load-nodes-and-credentials.js, setupHotReload).
 */
export const reloadEnvironment = { N8N_DEV_RELOAD: 'true' };

/**
 * Rebuilds the package whenever a source file changes, and copies each build to where this n8n loads the package from.
 *
 * @param logFile receives gulp's output
 * @returns a function that ends the watching
 */
export async function rebuildOnChange(n8n: RunningN8n, logFile: string): Promise<() => Promise<void>> {
	const installed = join(n8n.userFolder, '.n8n', 'nodes', 'node_modules', packageJson.name, 'dist');
	const gulp = await startProgram({
		command: join(repository, 'node_modules', '.bin', 'gulp'),
		args: ['watch'],
		cwd: repository,
		env: process.env,
		logFile,
	});
	let timer: NodeJS.Timeout | undefined;
	const watcher = watch(dist, { recursive: true }, () => {
		clearTimeout(timer);
		timer = setTimeout(() => {
			cpSync(dist, installed, { recursive: true });
			console.log('  Rebuilt: n8n loads the package again');
		}, quietMilliseconds);
	});
	return async () => {
		clearTimeout(timer);
		watcher.close();
		await gulp.end();
	};
}
