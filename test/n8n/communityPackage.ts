import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface PackageJson extends Record<string, unknown> {
	name: string;
	version: string;
	dependencies?: Record<string, string>;
}

/**
 * Puts a packed package where n8n keeps community packages, as its own installer does (`downloadPackage` of
 * community-packages.service.ts): unpacked into `.n8n/nodes/node_modules`, without its development and peer dependencies,
 * and listed in `.n8n/nodes/package.json`. n8n loads whatever lies there, listed in its database or not.
 * Throws when the package has runtime dependencies: they would have to be downloaded.
 */
export function installCommunityPackage(tarball: string, userFolder: string): void {
	const nodesFolder = join(userFolder, '.n8n', 'nodes');
	const packageJson = packageJsonIn(tarball);
	const { name, version, dependencies = {} } = packageJson;
	if (Object.keys(dependencies).length > 0) {
		throw new Error(
			`${name} has runtime dependencies (${Object.keys(dependencies).join(', ')}); it must have none`,
		);
	}
	const folder = join(nodesFolder, 'node_modules', name);
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
	const left = ['devDependencies', 'peerDependencies', 'optionalDependencies'];
	const kept = Object.entries(packageJson).filter(([field]) => !left.includes(field));
	writeJson(join(folder, 'package.json'), Object.fromEntries(kept));
	writeJson(join(nodesFolder, 'package.json'), {
		name: 'installed-nodes',
		private: true,
		dependencies: { [name]: version },
	});
}

function packageJsonIn(tarball: string): PackageJson {
	return JSON.parse(execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' }));
}

function writeJson(file: string, content: object): void {
	writeFileSync(file, JSON.stringify(content, null, 2));
}
