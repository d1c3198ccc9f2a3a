import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

import { installN8n, type InstalledN8n } from './installN8n';
import { installCommunityPackage } from './package';
import { freePort } from './ports';
import { startServer } from './processes';
import { n8n2, type N8nRelease } from './releases';
import { N8nRest } from './rest';

interface N8nOptions {
	release?: N8nRelease;
	/** Arguments of n8n's command line; by default those of a main process. */
	args?: string[];
	/** Holds `.n8n` (database, binary data, packages), `.n8n-files` and the log; default: a new temporary folder. */
	userFolder?: string;
	/** Default: one that is free. */
	port?: number;
	/** Environment variables that win over the harness's own. */
	env?: Record<string, string>;
}

export const owner = { email: 'owner@example.com', password: 'VideoHosting1' };

/**
 * Nothing of n8n's that speaks to a server outside this machine, and nothing that would stand between a person and the
 * editor. Everything else is left as n8n ships it, so that tests meet the n8n that users have.
 */
const quiet = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_AI_GATEWAY_ENABLED: 'false',
	N8N_PYTHON_ENABLED: 'false',
	// The editor is served over plain http on loopback, where a browser would not keep a secure cookie.
	N8N_SECURE_COOKIE: 'false',
};

/** An n8n of this process, which can restart it. */
export type RunningN8n = Awaited<ReturnType<typeof startN8n>>;

/**
 * Starts a real n8n on loopback with the packed package installed and its owner set up, and waits until it responds.
 * It ends with this process at the latest. Throws a `SetupError` with what to do, and with the end of n8n's log.
 */
export async function startN8n({ release = n8n2, args = ['start'], port, env, ...given }: N8nOptions = {}) {
	const provided = await installN8n(release);
	const userFolder = given.userFolder ?? mkdtempSync(join(tmpdir(), 'n8n-user-folder-'));
	const filesFolder = join(userFolder, '.n8n-files');
	mkdirSync(filesFolder, { recursive: true });
	installCommunityPackage(userFolder);
	const ownPort = port ?? (await freePort());
	const ports = { N8N_PORT: String(ownPort), N8N_RUNNERS_BROKER_PORT: String(await freePort()) };
	const program = {
		command: provided.node,
		args: [provided.n8n, ...args],
		cwd: userFolder,
		env: { ...environmentOf(provided, userFolder), ...ports, ...env },
		logFile: join(userFolder, 'n8n.log'),
	};
	const url = `http://127.0.0.1:${ownPort}`;
	const rest = new N8nRest(url);
	const isWorker = args.includes('worker');
	const log = () => readFileSync(program.logFile, 'utf8');

	const launch = async () =>
		await startServer('n8n', program, async (output) => {
			if (isWorker) return output.includes('n8n worker is now ready');
			if (!(await rest.isReady())) return false;
			await rest.signIn(owner);
			return true;
		});
	let running = await launch();
	const n8n = {
		url,
		rest,
		userFolder,
		/** Files that nodes may read and write (n8n's own default, `~/.n8n-files`). */
		filesFolder,
		logFile: program.logFile,
		/** n8n's output since its first start. */
		log,
		/** By how many bytes the resident memory of n8n's own process was higher at most while `work` ran than before. Linux only. */
		memoryGrowth: async (work: () => Promise<unknown>): Promise<number> => {
			const folder = `/proc/${running.pid}`;
			const kilobytes = (field: string) =>
				Number(
					new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`${folder}/status`, 'utf8'))?.[1],
				);
			// Forgets the peak so far (proc(5)).
			writeFileSync(`${folder}/clear_refs`, '5');
			const before = kilobytes('VmRSS');
			await work();
			return (kilobytes('VmHWM') - before) * 1024;
		},
		/** Starts it again after its end. */
		start: async () => void (running = await launch()),
		/** Lets n8n finish as it does on SIGTERM; does nothing when it has ended already. */
		stop: async () => await running.end(20_000),
		/** SIGKILL: n8n has no chance to save anything. */
		kill: async () => await running.end(),
		/** Kills n8n, of which nothing is needed any more, and deletes its user folder. */
		remove: async () => {
			await n8n.kill();
			rmSync(userFolder, { recursive: true, force: true });
		},
	};
	return n8n;
}

/**
 * The environment of an n8n process. Nothing of it is inherited but what finds programs and certificates: Jest's NODE_ENV
 * would put n8n into its own test mode, and a proxy set for this shell would receive requests for loopback addresses.
 * HOME is the user folder, which makes `<userFolder>/.n8n-files` the one folder n8n 2.x lets nodes read files from.
 */
function environmentOf({ release, node }: InstalledN8n, userFolder: string): NodeJS.ProcessEnv {
	const { PATH, TMPDIR, LANG, NODE_EXTRA_CA_CERTS } = process.env;
	return {
		...{ TMPDIR, LANG, NODE_EXTRA_CA_CERTS },
		PATH: [dirname(node), PATH].join(delimiter),
		HOME: userFolder,
		N8N_USER_FOLDER: userFolder,
		N8N_HOST: '127.0.0.1',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_DISABLED_MODULES: release.disabledModules,
		...quiet,
	};
}
