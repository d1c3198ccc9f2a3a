import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { scripts } from '../../package.json';
import { playgroundOptions } from '../../scripts/playgroundOptions';
import { listen, stopListening } from '../fakeService/listen';
import { freePort } from '../n8n/ports';
import { repository } from '../pages';

/** A clone in which nothing is installed. */
const clone = mkdtempSync(join(tmpdir(), 'video-hosting-clone-'));
beforeAll(() => {
	for (const file of ['start.js', 'playgroundOptions.js', 'pidFile.js', 'tools.js'])
		cpSync(join(repository, 'scripts', file), join(clone, 'scripts', file));
});
afterAll(() => rmSync(clone, { recursive: true }));

it('each command installs the development tools first, but for those that need none', () => {
	const bare = Object.entries(scripts).filter(
		([, script]) => !script.startsWith('node scripts/tools.js && '),
	);
	expect(bare.map(([name]) => name)).toEqual(['start', 'dev', 'release:check']);
});

it('two commands at once install the development tools once, and again only for another version', async () => {
	const lock = (version: string) =>
		writeFileSync(
			join(clone, 'package-lock.json'),
			JSON.stringify({
				packages: { '': {}, 'node_modules/a': { version }, 'node_modules/b': { optional: true } },
			}),
		);
	const folder = join(clone, 'fake npm');
	mkdirSync(folder);
	mkdirSync(join(clone, 'node_modules'));
	const npm = 'echo "$1" >> installed; sleep 0.5; cp package-lock.json node_modules/.package-lock.json';
	writeFileSync(join(folder, 'npm'), `#!/bin/sh\n${npm}\n`, { mode: 0o755 });
	const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
	const command = async () =>
		await promisify(execFile)(process.execPath, ['scripts/tools.js'], { cwd: clone, env });
	const installed = () => readFileSync(join(clone, 'installed'), 'utf8');

	lock('1.0.0');
	// Left by a command that was killed.
	mkdirSync(join(clone, '.run'));
	writeFileSync(join(clone, '.run', 'install.pid'), String(spawnSync('true').pid));
	await Promise.all([command(), command()]);
	await command();
	expect(installed()).toBe('ci\n');
	lock('1.0.1');
	await command();
	expect(installed()).toBe('ci\nci\n');
});

it('one of several processes that find the file of a killed one gets it', async () => {
	const killed = String(spawnSync('true').pid);
	const files = Array.from({ length: 40 }, (_, round) => join(clone, `${round}.pid`));
	for (const file of files) writeFileSync(file, killed);
	// They claim each file in the same millisecond, and keep it until their input ends.
	const script = `
		const { claim } = require('./scripts/pidFile');
		const isOurs = ${JSON.stringify(files)}.map((file, round) => {
			while (Date.now() < ${Date.now() + 1_000} + round * 20);
			return claim(file) === process.pid;
		});
		console.log(JSON.stringify(isOurs));
		process.stdin.resume();
	`;
	const processes = Array.from({ length: 4 }, () => spawn(process.execPath, ['-e', script], { cwd: clone }));
	const claims = await Promise.all(
		processes.map(async ({ stdout }) => JSON.parse(String(await once(stdout, 'data'))) as boolean[]),
	);
	const holders = files.map((_, round) => claims.filter((isOurs) => isOurs[round]).length);
	expect(holders).toEqual(files.map(() => 1));
	for (const { stdin } of processes) stdin.end();
	await Promise.all(processes.map(async (each) => await once(each, 'exit')));
	expect(readdirSync(clone).filter((name) => name.includes('.pid'))).toEqual([]);
});

it('npm start says before it downloads anything that a port is in use, and which option chooses another', async () => {
	const other = createServer();
	const taken = await listen(other);
	const args = ['scripts/start.js', '--port', String(taken)];
	const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: clone });
	expect([status, stdout.toString()]).toEqual([1, '']);
	const message = `Port ${taken} of 127.0.0.1 is in use. Choose another one with --port`;
	expect(stderr.toString()).toContain(message);
	await stopListening(other);
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
