import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';

import { poll } from './poll';
import { SetupError } from './progress';

interface Program {
	command: string;
	args: string[];
	cwd: string;
	env: NodeJS.ProcessEnv;
	/** File that the program's output is appended to. */
	logFile: string;
}

/**
 * Starts a program in a process group of its own which never outlives this process, however this process ends.
 * Throws when the program cannot be started.
 */
export async function startProgram({ command, args, cwd, env, logFile }: Program) {
	const log = openSync(logFile, 'a');
	const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', log, log] });
	closeSync(log);
	const exited = new Promise((resolve) => child.once('exit', resolve));
	await once(child, 'spawn');
	const { pid = NaN } = child;

	// A shell that waits for the end of its standard input, which comes when this process is gone. Handlers of 'exit' and of
	// signals are not enough: SIGKILL runs none, and inside Jest they hang on a copy of `process`.
	const script = 'read _; kill -KILL "-$1" 2>/dev/null';
	const guard = spawn('sh', ['-c', script, 'guard', String(pid)], {
		detached: true,
		stdio: ['pipe', 'ignore', 'ignore'],
	});
	void exited.then(() => {
		signalGroup(pid, 'SIGKILL');
		guard.kill('SIGKILL');
	});

	return {
		/** Also the ID of its process group. */
		pid,
		hasExited: () => child.exitCode !== null || child.signalCode !== null,
		/** SIGTERM, then SIGKILL to whatever of the group is left after `graceMilliseconds`; without those, SIGKILL at once. */
		end: async (graceMilliseconds = 0): Promise<void> => {
			if (graceMilliseconds > 0) signalGroup(pid, 'SIGTERM');
			const killing = setTimeout(() => signalGroup(pid, 'SIGKILL'), graceMilliseconds);
			await exited;
			clearTimeout(killing);
		},
	};
}

function signalGroup(group: number, signal: NodeJS.Signals): void {
	try {
		process.kill(-group, signal);
	} catch {
		// The group has ended already (ESRCH), which is what a signal to it is for.
	}
}

/**
 * As {@link startProgram}, but waits until the program is ready, two minutes at most.
 *
 * @param isReady gets the program's output so far
 * @throws SetupError with the end of the program's output
 */
export async function startServer(
	name: string,
	program: Program,
	isReady: (log: string) => boolean | Promise<boolean>,
) {
	const started = await startProgram(program);
	const log = () => readFileSync(program.logFile, 'utf8');
	try {
		await poll(`${name} to start`, 120_000, async () => {
			if (started.hasExited()) throw new Error(`${name} ended while starting`);
			return (await isReady(log())) || undefined;
		});
	} catch (error) {
		await started.end();
		const end = log().trimEnd().split('\n').slice(-30).join('\n');
		throw new SetupError(`${String(error)}; the end of its log, ${program.logFile}:\n${end}`);
	}
	return started;
}
