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

export interface StartedProgram {
	/** Also the ID of its process group. */
	pid: number;
	/** Its exit code, null after a signal, once it has ended. */
	exited: Promise<number | null>;
	hasExited(): boolean;
	/** SIGTERM, then SIGKILL to whatever of the group is left after `graceMilliseconds`. */
	end(graceMilliseconds: number): Promise<void>;
	/** SIGKILL to the whole group. */
	kill(): Promise<void>;
}

/**
 * Starts a program in a process group of its own which never outlives this process, however this process ends.
 * Throws when the program cannot be started.
 */
export async function startProgram({ command, args, cwd, env, logFile }: Program): Promise<StartedProgram> {
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

	const kill = async () => {
		signalGroup(pid, 'SIGKILL');
		await exited;
	};
	const end = async (graceMilliseconds: number) => {
		signalGroup(pid, 'SIGTERM');
		const killing = setTimeout(() => signalGroup(pid, 'SIGKILL'), graceMilliseconds);
		await exited;
		clearTimeout(killing);
	};
	return { pid, exited, hasExited: () => child.exitCode !== null || child.signalCode !== null, end, kill };
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
