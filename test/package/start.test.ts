import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { playgroundOptions } from '../../scripts/playgroundOptions';
import { listen, stopListening } from '../fakeService/listen';
import { freePort } from '../n8n/ports';
import { repository } from '../pages';

/** A clone in which nothing is installed. */
const clone = mkdtempSync(join(tmpdir(), 'video-hosting-clone-'));
afterAll(() => rmSync(clone, { recursive: true }));

it('npm start says before it downloads anything that a port is in use, and which option chooses another', async () => {
	for (const file of ['start.js', 'playgroundOptions.js'])
		cpSync(join(repository, 'scripts', file), join(clone, 'scripts', file));
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
