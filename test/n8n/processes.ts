import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';

export interface Program {
	command: string;
	args: string[];
	cwd: string;
	env: NodeJS.ProcessEnv;
	/** File that the program's output is appended to. */
	logFile: string;
	/** The program does not keep this process alive; it still ends with it. */
	isShared?: boolean;
}

/** A started program: `pid` is also the ID of its process group, `exited` settles when the program has ended. */
export interface StartedProgram {
	pid: number;
	exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
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
export async function startProgram({
	command,
	args,
	cwd,
	env,
	logFile,
	isShared = false,
}: Program): Promise<StartedProgram> {
	const log = openSync(logFile, 'a');
	const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', log, log] });
	closeSync(log);
	const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
		child.once('exit', (code, signal) => resolve({ code, signal })),
	);
	await once(child, 'spawn');
	const pid = child.pid;
	if (pid === undefined) throw new Error(`${command} started without a process ID`);

	const guard = startGuard(pid);
	if (isShared) {
		child.unref();
		guard.unref();
		if (guard.stdin instanceof Socket) guard.stdin.unref();
	}
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

/**
 * A shell that waits for the end of its standard input, which comes when this process is gone, and then kills the group.
 * Handlers of 'exit' and of signals are not enough: SIGKILL runs none, and inside Jest they hang on a copy of `process`.
 */
function startGuard(group: number): ChildProcess {
	const script = 'read _; kill -KILL "-$1" 2>/dev/null';
	return spawn('sh', ['-c', script, 'guard', String(group)], {
		detached: true,
		stdio: ['pipe', 'ignore', 'ignore'],
	});
}

/** Sends a signal to a process group, which may have ended. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
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
