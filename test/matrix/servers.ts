import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installedProgram, type Program } from '../n8n/debianPackages';
import { freePort } from '../n8n/instance';
import { poll } from '../n8n/poll';
import { startProgram, tailOf } from '../n8n/processes';
import { SetupError, step, type Report } from '../n8n/progress';

/** A server on loopback with its data in a temporary folder. */
export interface Server {
	port: number;
	/** Its output so far. */
	log: () => string;
	/** Ends it and deletes its data. */
	remove: () => Promise<void>;
}

interface ServerProgram {
	name: Program;
	/** Unprivileged user that it runs as. */
	user: string;
	/** What its log contains once it accepts connections. */
	readyWhen: RegExp;
	/** Prepares the data in `folder` and returns the arguments. */
	prepare(folder: string, port: number, program: string): string[];
}

const startDeadlineMilliseconds = 60_000;
const stopGraceMilliseconds = 5_000;

export async function startRedis(report: Report): Promise<Server> {
	return await startServer(report, {
		name: 'redis-server',
		user: 'nobody',
		readyWhen: /Ready to accept connections/,
		prepare: (folder, port) => [
			...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder],
			...['--save', '', '--appendonly', 'no'],
		],
	});
}

/** Database `postgres` and user `n8n`, without a password. */
export async function startPostgres(report: Report): Promise<Server> {
	return await startServer(report, {
		name: 'postgres',
		user: 'postgres',
		readyWhen: /ready to accept connections/,
		prepare: (folder, port, program) => {
			const data = join(folder, 'data');
			const initdb = unprivileged('postgres', join(program, '..', 'initdb'), [
				...['--pgdata', data, '--username', 'n8n', '--auth', 'trust'],
				...['--encoding', 'UTF8', '--locale', 'C', '--no-sync'],
			]);
			execFileSync(initdb.command, initdb.args, { cwd: folder });
			return ['-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', '', '-c', 'fsync=off'];
		},
	});
}

/**
 * An HTTP proxy that forwards http and tunnels https to the given ports, and writes one line `Request … <request line>` for
 * each.
 */
export async function startTinyproxy(report: Report, tunnelPorts: number[]): Promise<Server> {
	return await startServer(report, {
		name: 'tinyproxy',
		user: 'nobody',
		readyWhen: /Accepting connections/,
		prepare: (folder, port) => {
			const configuration = join(folder, 'tinyproxy.conf');
			const lines = [`Port ${port}`, 'Listen 127.0.0.1', 'Allow 127.0.0.1', 'Timeout 600', 'LogLevel Info'];
			lines.push(...tunnelPorts.map((tunnelPort) => `ConnectPort ${tunnelPort}`));
			writeFileSync(configuration, `${lines.join('\n')}\n`);
			chmodSync(configuration, 0o644);
			return ['-d', '-c', configuration];
		},
	});
}

async function startServer(report: Report, server: ServerProgram): Promise<Server> {
	const { name, user, readyWhen } = server;
	const program = await installedProgram(name, report);
	const folder = mkdtempSync(join(tmpdir(), `${name}-`));
	if (process.getuid?.() === 0) execFileSync('chown', [user, folder]);
	chmodSync(folder, 0o755);
	const port = await freePort();
	const logFile = `${folder}.log`;
	const removeData = () => {
		rmSync(folder, { recursive: true, force: true });
		rmSync(logFile, { force: true });
	};
	return await step(report, `Starting ${name}`, async () => {
		const command = unprivileged(user, program, server.prepare(folder, port, program));
		const env = { PATH: process.env.PATH, LC_ALL: 'C' };
		const started = await startProgram({ ...command, cwd: folder, env, logFile });
		const log = () => readFileSync(logFile, 'utf8');
		try {
			await poll(`${name} to start`, startDeadlineMilliseconds, () => {
				if (started.hasExited())
					throw new SetupError(`${name} ended while starting:\n${tailOf(logFile, 20)}`);
				return readyWhen.test(log()) || undefined;
			});
		} catch (error) {
			await started.kill();
			removeData();
			throw error;
		}
		return {
			port,
			log,
			remove: async () => {
				await started.end(stopGraceMilliseconds);
				removeData();
			},
		};
	});
}

/**
 * A command line that runs a program as an unprivileged user when this process is root: PostgreSQL does not run as
 * root, and the others have no need to.
 */
function unprivileged(user: string, program: string, args: string[]): { command: string; args: string[] } {
	if (process.getuid?.() !== 0) return { command: program, args };
	const group = execFileSync('id', ['-g', user], { encoding: 'utf8' }).trim();
	return {
		command: 'setpriv',
		args: [`--reuid=${user}`, `--regid=${group}`, '--clear-groups', program, ...args],
	};
}
