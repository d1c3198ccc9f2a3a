import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { playgroundOptions } from '../../scripts/playgroundOptions';
import { listen, stopListening } from '../fakeService/listen';
import { freePort } from '../n8n/ports';
import { repository } from '../pages';

/** A clone in which nothing is installed. */
const clone = mkdtempSync(join(tmpdir(), 'video-hosting-clone-'));
const other = createServer();
let taken: number;

beforeAll(async () => {
	for (const file of ['start.js', 'playgroundOptions.js'])
		cpSync(join(repository, 'scripts', file), join(clone, 'scripts', file));
	taken = await listen(other);
});

afterAll(async () => {
	await stopListening(other);
	rmSync(clone, { recursive: true });
});

function npmStart(...args: string[]): string {
	const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/start.js', ...args], {
		cwd: clone,
	});
	expect([status, stdout.toString()]).toEqual([1, '']);
	return stderr.toString();
}

it('npm start says before it downloads anything that a port is in use, and which option chooses another', () => {
	for (const option of ['--port', '--service-port'])
		expect(npmStart(option, String(taken))).toContain(
			`Port ${taken} of 127.0.0.1 is in use. Choose another one with ${option}`,
		);
	expect(npmStart('--port', 'abc')).toContain('--port must be a number from 1 to 65535, not "abc"');
});

it('npm start does not open the playground of a clone twice', () => {
	mkdirSync(join(clone, '.run'));
	writeFileSync(join(clone, '.run', 'playground.pid'), String(process.pid));
	expect(npmStart()).toContain(`npm start runs in this clone already, as process ${process.pid}.`);
});

it('npm start takes the next free port where the usual one is in use', async () => {
	const usual = createServer();
	const isOurs = await listen(usual, 25_678).then(
		() => true,
		() => false,
	);
	const { servicePort } = await playgroundOptions([]);
	expect(servicePort).toBeGreaterThan(25_678);
	if (isOurs) await stopListening(usual);
	const port = await freePort();
	await expect(playgroundOptions(['--port', String(port)])).resolves.toMatchObject({ port });
});
