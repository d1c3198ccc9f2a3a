import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installPrograms } from './debianPackages';

const environment = { ...process.env };
let folder: string;
let calls: string;

/** No program but an apt-get that writes its arguments down and installs nothing. */
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'video-hosting-apt-'));
	calls = join(folder, 'calls');
	writeFileSync(join(folder, 'apt-get'), `#!/bin/sh\necho "$@" >> '${calls}'\n`);
	chmodSync(join(folder, 'apt-get'), 0o755);
	process.env.PATH = folder;
	delete process.env.VIDEO_HOSTING_NO_APT;
});
afterEach(() => {
	process.env = { ...environment };
	rmSync(folder, { recursive: true, force: true });
});

it('announces what it installs and how to prevent it before apt-get runs', async () => {
	const reports: Array<{ line: string; aptHasRun: boolean }> = [];
	await installPrograms(['chromium'], (line) => reports.push({ line, aptHasRun: existsSync(calls) }));
	expect(reports[0]).toEqual({
		line: 'Installing chromium with apt-get (set VIDEO_HOSTING_NO_APT=1 to prevent it) …',
		aptHasRun: false,
	});
	expect(readFileSync(calls, 'utf8')).toMatch(/install .*chromium/);
});

it('does not run apt-get when it is switched off, and names what is missing', async () => {
	process.env.VIDEO_HOSTING_NO_APT = '1';
	await expect(installPrograms(['redis-server', 'make'], () => undefined)).rejects.toThrow(
		'Missing: redis-server, make. VIDEO_HOSTING_NO_APT is set, so nothing is installed. ' +
			'Install with: sudo apt-get install redis-server make. Then run the command again.',
	);
	expect(existsSync(calls)).toBe(false);
});
