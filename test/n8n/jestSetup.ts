import { installN8n } from './installN8n';
import { N8n, owner, startN8n, type RunningN8n } from './instance';
import { packPackage } from './package';
import { n8n1, n8n2 } from './releases';

declare global {
	/** The n8n that several test files use at the same time; known to Jest's own process alone. */
	var sharedN8n: RunningN8n | undefined;
}

const tarballVariable = 'N8N_NODES_VIDEO_HOSTING_TARBALL';
const sharedVariable = 'N8N_NODES_VIDEO_HOSTING_SHARED_N8N';
/** Zones in which nothing else is: not that of n8n's process, nor n8n's default for workflows. */
const zones = { TZ: 'Asia/Kolkata', GENERIC_TIMEZONE: 'Europe/Berlin' };

/** n8n of both generations, or the one that the environment variable N8N_RELEASE names. */
export const releases = [n8n2, n8n1].filter(
	({ version }) => version === (process.env.N8N_RELEASE ?? version),
);

/** Jest's globalSetup of the tests that start n8n: once per run, and before any test's time limit counts. */
export default async function prepare(
	_globalConfig: unknown,
	{ displayName }: { displayName: { name: string } },
): Promise<void> {
	const report = (line: string) => process.stderr.write(`${line}\n`);
	const isEndToEnd = displayName.name === 'endToEnd';
	const packageTarball = await packPackage(report);
	for (const release of isEndToEnd ? [n8n2] : releases) await installN8n(release, report);
	process.env[tarballVariable] = packageTarball;
	if (!isEndToEnd) return;
	globalThis.sharedN8n = await startN8n({ release: n8n2, packageTarball, env: zones, report });
	const { userFolder, port } = globalThis.sharedN8n;
	process.env[sharedVariable] = JSON.stringify({ userFolder, port });
}

/** Path of the package as packed for this test run. */
export function packedPackage(): string {
	return variable(tarballVariable);
}

/** The n8n that the end-to-end tests share, signed in. */
export async function sharedN8n(): Promise<N8n> {
	const { userFolder, port }: { userFolder: string; port: number } = JSON.parse(variable(sharedVariable));
	const n8n = new N8n(userFolder, port);
	await n8n.rest.signIn(owner);
	return n8n;
}

function variable(name: string): string {
	const value = process.env[name];
	if (value === undefined) throw new Error('This test belongs to a Jest project with globalSetup');
	return value;
}
