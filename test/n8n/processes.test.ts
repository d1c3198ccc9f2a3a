import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { poll } from './poll';
import { startProgram, tailOf } from './processes';

let folder: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'processes-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('ends a program, and what that program started, with the process that started it, even when that one is killed', async () => {
	const script = `
		const { startProgram } = require(${JSON.stringify(join(__dirname, 'processes.ts'))});
		const args = ['-c', 'sleep 600 & wait'];
		const logFile = ${JSON.stringify(join(folder, 'log'))};
		startProgram({ command: 'sh', args, cwd: '/', env: process.env, logFile }).then(({ pid }) => console.log(pid));
	`;
	const parent = spawn(process.execPath, ['--import', 'tsx', '--eval', script], {
		cwd: join(__dirname, '..', '..'),
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const [group] = await once(parent.stdout, 'data');
	const pid = Number(String(group));
	expect(isAlive(pid)).toBe(true);

	parent.kill('SIGKILL');

	await poll('the whole group to end', 10_000, () => Promise.resolve(isAlive(-pid) ? undefined : true));
});

it('kills a program that does not end on SIGTERM', async () => {
	const logFile = join(folder, 'log');
	const args = ['-c', 'trap "" TERM; echo deaf; sleep 600'];
	const program = await startProgram({ command: 'sh', args, cwd: folder, env: process.env, logFile });
	await poll('the program to be deaf', 10_000, () => Promise.resolve(tailOf(logFile, 1) || undefined));

	await program.end(0);

	expect(program.hasExited()).toBe(true);
	expect(await program.exited).toEqual({ code: null, signal: 'SIGKILL' });
});

/** A negative ID stands for the whole process group. */
function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}
