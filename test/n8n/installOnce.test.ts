import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { cacheFolder, downloadRetries, installOnce, type Installation } from './installOnce';

let scratch: string;
let installation: Installation;
const environment = { ...process.env };

/** Resolves when called, which is when an installation is complete but for its marker. */
const complete = jest.fn<Promise<void>, [string]>();

beforeEach(() => {
	scratch = mkdtempSync(join(tmpdir(), 'install-once-'));
	process.env.XDG_CACHE_HOME = join(scratch, 'cache');
	complete.mockReset().mockResolvedValue();
	// As in `npm run --silent`, which must not take the output away that explains a failure.
	process.env.npm_config_loglevel = 'silent';
	installation = { package: 'greeting@1.0.0', overrides: { greeting: packedGreeting() }, diskBytes: 1e6 };
});

afterEach(() => {
	process.env = { ...environment };
	rmSync(scratch, { recursive: true, force: true });
});

const installed = () => join(cacheFolder(), installation.package);
const install = async () => await installOnce(installation, complete, () => {});

it('downloads once for any number of callers', async () => {
	const folders = await Promise.all([install(), install()]);
	folders.push(await install());

	expect(folders).toEqual([installed(), installed(), installed()]);
	expect(existsSync(join(installed(), 'node_modules', 'greeting', 'package.json'))).toBe(true);
	expect(complete).toHaveBeenCalledTimes(1);
});

it('throws away what an interrupted download left', async () => {
	mkdirSync(join(installed(), 'node_modules', 'half'), { recursive: true });
	mkdirSync(`${installed()}.unfinished/node_modules/half`, { recursive: true });

	await install();

	expect(existsSync(join(installed(), 'node_modules', 'half'))).toBe(false);
	expect(existsSync(join(installed(), 'node_modules', 'greeting'))).toBe(true);
});

it('installs anew with other settings', async () => {
	await install();
	installation.overrides = { ...installation.overrides, other: '1.0.0' };
	await install();

	expect(complete).toHaveBeenCalledTimes(2);
});

it('does not keep what does not run', async () => {
	complete.mockRejectedValueOnce(new Error('does not run'));

	await expect(install()).rejects.toThrow('does not run');
	expect(existsSync(installed())).toBe(false);

	await install();
	expect(existsSync(installed())).toBe(true);
});

it('is not held up by an installer that died', async () => {
	const { pid } = spawnSync('true');
	mkdirSync(cacheFolder(), { recursive: true });
	writeFileSync(`${installed()}.lock`, String(pid));

	await install();

	expect(complete).toHaveBeenCalledTimes(1);
});

it('explains what to do when the registry cannot be reached', async () => {
	process.env.npm_config_registry = 'http://127.0.0.1:9/';
	Object.assign(downloadRetries, { firstPauseMs: 1, longestPauseMs: 2 });
	installation.overrides = {};

	await expect(install()).rejects.toThrow('The npm registry could not be reached. Check the network');
});

it("shows pnpm's output when it failed for another reason", async () => {
	installation.overrides = { greeting: `file:${join(scratch, 'missing.tgz')}` };

	await expect(install()).rejects.toThrow(/"pnpm install" failed; its whole output is in .*missing\.tgz/s);
});

it('runs the install script of an add-on, and reports what it needs when it cannot be built', async () => {
	installation.buildWith = { executable: process.execPath };
	installation.overrides = {
		greeting: packedGreeting({ install: 'echo gyp ERR! find Python >&2; exit 1' }),
	};

	await expect(install()).rejects.toThrow(
		'An add-on could not be built. It requires Python 3, make and a C++ compiler',
	);
});

it('reports how much disk space is missing before anything is downloaded', async () => {
	installation.diskBytes = 1e18;

	await expect(install()).rejects.toThrow(/needs 1000000000\.0 GB of disk space, and .* has .* GB left/);
	expect(complete).not.toHaveBeenCalled();
});

/** A package in a tarball, so that no test needs the network. */
function packedGreeting(scripts = {}): string {
	const folder = join(scratch, 'package');
	mkdirSync(folder, { recursive: true });
	writeFileSync(
		join(folder, 'package.json'),
		JSON.stringify({ name: 'greeting', version: '1.0.0', scripts }),
	);
	execFileSync('tar', ['-czf', 'greeting.tgz', 'package'], { cwd: scratch });
	return `file:${join(scratch, 'greeting.tgz')}`;
}
