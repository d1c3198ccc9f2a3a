import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { build } from 'esbuild';

import { thirdPartyNotices } from '../../thirdPartyNotices';

let folder: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'video-hosting-notices-'));
});
afterEach(() => {
	rmSync(folder, { recursive: true, force: true });
});

function addPackage(name: string, files: Record<string, string>): void {
	const target = join(folder, 'node_modules', name);
	mkdirSync(target, { recursive: true });
	const manifest = JSON.stringify({
		name,
		version: '1.2.3',
		license: 'MIT',
		main: 'index.js',
		sideEffects: false,
	});
	for (const [file, text] of Object.entries({ 'package.json': manifest, ...files })) {
		writeFileSync(join(target, file), text);
	}
}

/** The notices for a bundle of this code. */
async function noticesFor(code: string): Promise<string> {
	writeFileSync(join(folder, 'entry.js'), code);
	const { metafile } = await build({
		entryPoints: [join(folder, 'entry.js')],
		bundle: true,
		format: 'cjs',
		metafile: true,
		write: false,
	});
	return thirdPartyNotices(metafile);
}

it('contains the license of each bundled package and of no other', async () => {
	addPackage('@scope/used', { 'index.js': 'export const used = 1;', 'LICENSE.txt': 'License of used' });
	addPackage('unused', { 'index.js': 'export const unused = 2;', LICENSE: 'License of unused' });
	const notices = await noticesFor(
		"import { used } from '@scope/used'; import { unused } from 'unused'; console.log(used);",
	);
	expect(notices).toContain('@scope/used 1.2.3 (MIT)');
	expect(notices).toContain('License of used');
	expect(notices).not.toContain('unused');
});

it('throws when a bundled package has no license file', async () => {
	addPackage('bare', { 'index.js': 'export const bare = 1;' });
	await expect(noticesFor("import { bare } from 'bare'; console.log(bare);")).rejects.toThrow(
		'bare is bundled and has no license file',
	);
});
