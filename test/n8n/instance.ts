import { randomInt } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installCommunityPackage } from './communityPackage';
import { environmentOf, type Ports } from './environment';
import { isSystemError } from './lock';
import { poll } from './poll';
import { startProgram, tailOf, type StartedProgram } from './processes';
import { SetupError, step, type Report } from './progress';
import { installN8n, type InstalledN8n } from './installN8n';
import type { N8nRelease } from './releases';
import { N8nRest } from './rest';
import { N8nSession } from './session';

export interface N8nOptions {
	release: N8nRelease;
	/** The packed package, as `packPackage()` returns it. */
	packageTarball: string;
	/** Holds `.n8n` (database, binary data, packages), `.n8n-files` and the log; default: a new temporary folder. */
	userFolder?: string;
	/** Default: one that is free. */
	port?: number;
	/** Environment variables that win over the harness's own. */
	env?: Record<string, string>;
	/** n8n does not keep this process alive, as one does that only this process ends. */
	isShared?: boolean;
	report?: Report;
}

export const owner = { email: 'owner@example.com', password: 'VideoHosting1' };

const startDeadlineMilliseconds = 120_000;
const stopGraceMilliseconds = 20_000;

/**
 * Starts a real n8n on loopback with the package installed and its owner set up, and waits until it responds.
 * It ends with this process at the latest. Throws a `SetupError` with what to do, and with the end of n8n's log.
 */
export async function startN8n(options: N8nOptions): Promise<RunningN8n> {
	const report = options.report ?? (() => {});
	const ports = {
		editor: options.port ?? (await freePort()),
		taskBroker: await freePort(),
	};
	const provided = await installN8n(options.release, report);
	const userFolder = options.userFolder ?? mkdtempSync(join(tmpdir(), 'n8n-user-folder-'));
	mkdirSync(join(userFolder, '.n8n-files'), { recursive: true });
	installCommunityPackage(options.packageTarball, userFolder);
	const n8n = new RunningN8n(provided, userFolder, ports, options);
	await step(report, `Starting n8n ${options.release.version}`, async () => await n8n.start());
	return n8n;
}

export class RunningN8n {
	readonly url: string;

	readonly session: N8nSession;

	readonly rest: N8nRest;

	readonly logFile: string;

	/** Files that nodes may read and write (n8n's own default, `~/.n8n-files`). */
	readonly filesFolder: string;

	private program: StartedProgram | undefined;

	constructor(
		readonly provided: InstalledN8n,
		readonly userFolder: string,
		readonly ports: Ports,
		private readonly options: Pick<N8nOptions, 'env' | 'isShared'> = {},
	) {
		this.url = `http://127.0.0.1:${ports.editor}`;
		this.session = new N8nSession(this.url);
		this.rest = new N8nRest(this.session);
		this.logFile = join(userFolder, 'n8n.log');
		this.filesFolder = join(userFolder, '.n8n-files');
	}

	/** Process ID of n8n itself; its task runner is a child of it. */
	get pid(): number {
		return this.running().pid;
	}

	/** Memory of n8n's own process, in bytes: resident now, and at most since it started. Linux only. */
	memory(): { rss: number; peakRss: number } {
		const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
		const bytes = (field: string) =>
			Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
		return { rss: bytes('VmRSS'), peakRss: bytes('VmHWM') };
	}

	/** Makes `memory()` return the peak from now on (clear_refs, proc(5)). Linux only. */
	forgetPeakRss(): void {
		writeFileSync(`/proc/${this.pid}/clear_refs`, '5');
	}

	/** n8n's output since its first start. */
	log(): string {
		return readFileSync(this.logFile, 'utf8');
	}

	async start(): Promise<void> {
		this.program = await startProgram({
			command: this.provided.node,
			args: [this.provided.n8n, 'start'],
			cwd: this.userFolder,
			env: { ...environmentOf(this.provided, this.userFolder, this.ports), ...this.options.env },
			logFile: this.logFile,
			isShared: this.options.isShared,
		});
		try {
			await this.untilReady(this.program);
			await this.session.signIn(owner);
		} catch (error) {
			await this.program.kill();
			throw error;
		}
	}

	/** Lets n8n finish as it does on SIGTERM; does nothing when it has ended already. */
	async stop(): Promise<void> {
		await this.program?.end(stopGraceMilliseconds);
		this.program = undefined;
	}

	/** Stops n8n and deletes its user folder. */
	async remove(): Promise<void> {
		await this.stop();
		rmSync(this.userFolder, { recursive: true, force: true });
	}

	/** SIGKILL: n8n has no chance to save anything. */
	async kill(): Promise<void> {
		await this.running().kill();
		this.program = undefined;
	}

	private running(): StartedProgram {
		if (!this.program) throw new Error('This n8n is not running');
		return this.program;
	}

	private async untilReady(program: StartedProgram): Promise<void> {
		const deadline = Date.now() + startDeadlineMilliseconds;
		await poll('n8n to start', Infinity, async () => {
			if (await this.session.isReady()) return true;
			if (program.hasExited()) throw this.failure('ended while starting');
			if (Date.now() > deadline)
				throw this.failure(`did not respond within ${startDeadlineMilliseconds / 1000} s`);
			return undefined;
		});
	}

	private failure(what: string): SetupError {
		const { version } = this.provided.release;
		return new SetupError(
			`n8n ${version} ${what}. The end of its log, ${this.logFile}:\n${tailOf(this.logFile, 30)}`,
		);
	}
}

/** Returns the port. Throws a `SetupError` that ends with the advice when it cannot be listened on. */
export async function requirePort(port: number, advice: string): Promise<number> {
	try {
		return await listenOnce(port);
	} catch (error) {
		const reason = isSystemError(error, 'EADDRINUSE')
			? 'is in use by another program'
			: `cannot be used (${String(error)})`;
		throw new SetupError(`Port ${port} of 127.0.0.1 ${reason}. ${advice}`);
	}
}

/**
 * A TCP port of 127.0.0.1 that nothing listens on. It is below those that Linux gives to outgoing connections (32768 and
 * above: ip_local_port_range, ip(7)), so that no test running at the same time takes it before the program that it is for.
 */
export async function freePort(): Promise<number> {
	for (;;) {
		const port = randomInt(10_000, 32_768);
		try {
			return await listenOnce(port);
		} catch (error) {
			if (!isSystemError(error, 'EADDRINUSE')) throw error;
		}
	}
}

/** Returns the port after listening on it for a moment. Throws when another program listens there. */
async function listenOnce(port: number): Promise<number> {
	const server = createServer();
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, '127.0.0.1', resolve);
	});
	await new Promise((resolve) => server.close(resolve));
	return port;
}
