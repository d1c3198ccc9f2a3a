import { readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { VideoHosting } from '../../nodes/VideoHosting/VideoHosting.node';
import type { VideoHostingTrigger } from '../../nodes/VideoHosting/VideoHostingTrigger.node';
import { installCommunityPackage } from '../n8n/communityPackage';

/** Installs a packed package below a folder as n8n does, with the n8n-workflow of these tests; returns its own folder. */
export function installPackage(tarball: string, userFolder: string): string {
	installCommunityPackage(tarball, userFolder);
	const modules = join(userFolder, '.n8n', 'nodes', 'node_modules');
	symlinkSync(dirname(require.resolve('n8n-workflow/package.json')), join(modules, 'n8n-workflow'));
	const name = readdirSync(modules).find((entry) => entry !== 'n8n-workflow');
	if (name === undefined) throw new Error(`${tarball} was not installed into ${modules}`);
	return join(modules, name);
}

/** The node as a user gets it: bundled. */
export async function builtNode(packageFolder: string): Promise<VideoHosting> {
	const file = join(packageFolder, 'dist/nodes/VideoHosting/VideoHosting.node.js');
	const built: { VideoHosting: new () => VideoHosting } = await import(file);
	return new built.VideoHosting();
}

/** The trigger as a user gets it: bundled. */
export async function builtTrigger(packageFolder: string): Promise<VideoHostingTrigger> {
	const file = join(packageFolder, 'dist/nodes/VideoHosting/VideoHostingTrigger.node.js');
	const built: { VideoHostingTrigger: new () => VideoHostingTrigger } = await import(file);
	return new built.VideoHostingTrigger();
}
