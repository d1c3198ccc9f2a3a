import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { name, version } from '../../package.json';

/**
 * Puts the packed package where n8n keeps community packages, as its own installer does (`downloadPackage` of
 * community-packages.service.ts): unpacked into `.n8n/nodes/node_modules`, without its development and peer dependencies,
 * and listed in `.n8n/nodes/package.json`. n8n loads whatever lies there, listed in its database or not.
 */
export function installCommunityPackage(tarball: string, userFolder: string): void {
	const nodesFolder = join(userFolder, '.n8n', 'nodes');
	const folder = join(nodesFolder, 'node_modules', name);
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
	const left = ['devDependencies', 'peerDependencies', 'optionalDependencies'];
	const packageFile = join(folder, 'package.json');
	const fields: object = JSON.parse(readFileSync(packageFile, 'utf8'));
	const kept = Object.fromEntries(Object.entries(fields).filter(([field]) => !left.includes(field)));
	writeFileSync(packageFile, JSON.stringify(kept));
	const listed = { name: 'installed-nodes', private: true, dependencies: { [name]: version } };
	writeFileSync(join(nodesFolder, 'package.json'), JSON.stringify(listed));
}
