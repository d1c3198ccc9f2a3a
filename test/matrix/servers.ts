import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installedPrograms, type Program } from '../n8n/debianPackages';
import { freePort } from '../n8n/ports';
import { startServer } from '../n8n/processes';

/** A server on loopback with its data in a temporary folder. */
export type Server = Awaited<ReturnType<typeof startOnLoopback>>;

export async function startRedis(): Promise<Server> {
	return await startOnLoopback('redis-server', (folder, port, program) => [
		...[program, '--port', String(port), '--bind', '127.0.0.1', '--dir', folder],
		...['--save', '', '--appendonly', 'no'],
	]);
}

/** Database `postgres` and user `n8n`, without a password. */
export async function startPostgres(): Promise<Server> {
	return await startOnLoopback('postgres', (folder, port, program) => {
		const isRoot = process.getuid?.() === 0;
		if (isRoot) execFileSync('chown', ['postgres', folder]);
		// PostgreSQL does not run as root.
		const user = isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : [];
		const data = join(folder, 'data');
		const [command = '', ...args] = [
			...[...user, join(program, '..', 'initdb'), '--pgdata', data, '--username', 'n8n'],
			...['--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C', '--no-sync'],
		];
		execFileSync(command, args, { cwd: folder });
		const network = ['-h', '127.0.0.1', '-p', String(port), '-k', ''];
		return [...user, program, '-D', data, ...network, '-c', 'fsync=off'];
	});
}

/**
 * An HTTP proxy that forwards http and tunnels https to the given ports, and writes one line `Request … <request line>` for
 * each.
 */
export async function startTinyproxy(tunnelPorts: number[]): Promise<Server> {
	return await startOnLoopback('tinyproxy', (folder, port, program) => {
		const configuration = join(folder, 'tinyproxy.conf');
		const lines = [`Port ${port}`, 'Listen 127.0.0.1', 'Allow 127.0.0.1', 'Timeout 600', 'LogLevel Info'];
		lines.push(...tunnelPorts.map((tunnelPort) => `ConnectPort ${tunnelPort}`));
		writeFileSync(configuration, `${lines.join('\n')}\n`);
		return [program, '-d', '-c', configuration];
	});
}

/** @param prepare prepares the data in `folder` and returns the command line */
async function startOnLoopback(
	name: Program,
	prepare: (folder: string, port: number, program: string) => string[],
) {
	const [program = ''] = await installedPrograms(name);
	const folder = mkdtempSync(join(tmpdir(), `${name}-`));
	const port = await freePort();
	const logFile = `${folder}.log`;
	const [command = '', ...args] = prepare(folder, port, program);
	const env = { PATH: process.env.PATH, LC_ALL: 'C' };
	const started = await startServer(name, { command, args, cwd: folder, env, logFile }, (output) =>
		/(Ready|ready) to accept connections|Accepting connections/.test(output),
	);
	return {
		port,
		/** Its output so far. */
		log: () => readFileSync(logFile, 'utf8'),
		/** Ends it and deletes its data. */
		remove: async (): Promise<void> => {
			await started.end(5_000);
			rmSync(folder, { recursive: true, force: true });
			rmSync(logFile, { force: true });
		},
	};
}
