import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';

export interface Program {
	command: string;
	args: string[];
	cwd: string;
	env: NodeJS.ProcessEnv;
	/** File that the program's output is appended to. */
	logFile: string;
}

export type StartedProgram = Awaited<ReturnType<typeof startProgram>>;

/**
 * Starts a program in a process group of its own which never outlives this process, however this process ends.
 * Throws when the program cannot be started.
 */
export async function startProgram({ command, args, cwd, env, logFile }: Program) {
	const log = openSync(logFile, 'a');
	const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', log, log] });
	closeSync(log);
	const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
	await once(child, 'spawn');
	const pid = child.pid;
	if (pid === undefined) throw new Error(`${command} started without a process ID`);

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
		/** Its exit code, null after a signal, once it has ended. */
		exited,
		hasExited: () => child.exitCode !== null || child.signalCode !== null,
		/** SIGTERM, then SIGKILL to whatever of the group is left after `graceMilliseconds`. */
		end: async (graceMilliseconds: number): Promise<void> => {
			signalGroup(pid, 'SIGTERM');
			const killing = setTimeout(() => signalGroup(pid, 'SIGKILL'), graceMilliseconds);
			await exited;
			clearTimeout(killing);
		},
		/** SIGKILL to the whole group. */
		kill: async (): Promise<void> => {
			signalGroup(pid, 'SIGKILL');
			await exited;
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

/** The last `lines` lines of a log file, without trailing blank ones; empty when there is no such file. */
export function tailOf(logFile: string, lines: number): string {
	if (!existsSync(logFile)) return '';
	return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
}
