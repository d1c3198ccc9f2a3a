import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { cacheFolder, installOnce, type Installation } from './installOnce';

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
	installation = { package: 'greeting@1.0.0', overrides: { greeting: packedGreeting() } };
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

it('throws away what an interrupted download left, or what does not run', async () => {
	complete.mockRejectedValueOnce(new Error('does not run'));
	await expect(install()).rejects.toThrow('does not run');
	expect(existsSync(installed())).toBe(false);
	mkdirSync(join(installed(), 'node_modules', 'half'), { recursive: true });
	mkdirSync(`${installed()}.unfinished/node_modules/half`, { recursive: true });

	await install();

	expect(existsSync(join(installed(), 'node_modules', 'half'))).toBe(false);
	expect(existsSync(join(installed(), 'node_modules', 'greeting'))).toBe(true);
});

it('is not held up by an installer that died', async () => {
	const { pid } = spawnSync('true');
	mkdirSync(cacheFolder(), { recursive: true });
	writeFileSync(`${installed()}.lock`, String(pid));

	await install();

	expect(complete).toHaveBeenCalledTimes(1);
});

it('says what it needs, and shows the output of pnpm, when that failed', async () => {
	installation.overrides = { greeting: `file:${join(scratch, 'missing.tgz')}` };

	await expect(install()).rejects.toThrow(/"pnpm install" failed; its whole output is in .*missing\.tgz/s);
});

/** A package in a tarball, so that no test needs the network. */
function packedGreeting(): string {
	const folder = join(scratch, 'package');
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'greeting', version: '1.0.0' }));
	execFileSync('tar', ['-czf', 'greeting.tgz', 'package'], { cwd: scratch });
	return `file:${join(scratch, 'greeting.tgz')}`;
}
