import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';

import { installGlobalProxyAgent } from '@n8n/backend-network';
import { ensureHostsBypassProxy } from '@n8n/backend-network/proxy';

import { errorMessage } from '../../nodes/VideoHosting/shared/text';
import { toServiceCredential } from '../../nodes/VideoHosting/transport/credential';
import { fail, report as show, SetupError } from '../../test/n8n/progress';
import { checkService } from './checkService';

const USAGE =
	'npm run check:service -- --base-url https://… --email … --application … --plan … [--write [--live] [--yes]] [--report service-report.json]';

const WARNING = `It creates an event in a year ("n8n check, please delete"), a folder and a video of 2 MB, and deletes them again.
Workflows, viewers and notifications see them meanwhile. While another upload of this application runs, it waits for a minute.`;

const text = { type: 'string', default: '' } as const;
const flag = { type: 'boolean', default: false } as const;
const ACCOUNT = { 'base-url': text, email: text, application: text, plan: text };
const OPTIONS = { ...ACCOUNT, report: text, write: flag, live: flag, yes: flag };

/** @throws SetupError when an option is unknown, missing or not valid */
function readOptions() {
	try {
		const { values } = parseArgs({ options: OPTIONS });
		const { 'base-url': baseUrl, application: applicationId, email, plan: planId, ...others } = values;
		if ([baseUrl, applicationId, email, planId].includes('')) throw new Error('An option is missing.');
		const { VIDEO_HOSTING_PASSWORD: password = '' } = process.env;
		const account = { ...toServiceCredential({ baseUrl, applicationId, email, password }), planId };
		if (others.live && !others.write) throw new Error('--live needs --write.');
		// A path that is wrong must not cost the checks.
		if (others.report !== '') writeFileSync(others.report, '');
		return { ...others, account };
	} catch (error) {
		throw new SetupError(`${errorMessage(error)}\n${USAGE}`);
	}
}

/** Asks in the terminal. Without an output, Node.js shows nothing of a secret that is typed. */
async function ask(question: string, isSecret = false): Promise<string> {
	if (!process.stdin.isTTY) throw new SetupError('Without a terminal, set VIDEO_HOSTING_PASSWORD and --yes.');
	const output = isSecret ? undefined : process.stderr;
	if (isSecret) process.stderr.write(question);
	const terminal = createInterface({ input: process.stdin, output, terminal: true });
	terminal.once('SIGINT', () => process.exit(130));
	const answer = await terminal.question(question);
	terminal.close();
	if (isSecret) show('');
	return answer;
}

async function main(): Promise<void> {
	const { account, report: file, yes, ...extent } = readOptions();
	account.password ||= await ask('Password: ', true);
	if (extent.write) show(WARNING);
	if (extent.write && !yes && !/^y/i.test(await ask('Continue? [y/N] '))) return;
	const ending = new AbortController();
	ending.signal.addEventListener('abort', () => show('\nEnding. What was made is deleted first.'));
	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => ending.abort());
	// As n8n uses proxies.
	installGlobalProxyAgent();
	ensureHostsBypassProxy(['127.0.0.1']);
	const { isTTY } = process.stderr;
	const progress = (step: string) => void process.stderr.write(isTTY ? `\r\x1b[2K${step} …` : `${step} …\n`);
	const setup = { ...extent, account, progress, signal: ending.signal };
	const { lines, report, isFine, error } = await checkService(setup);
	if (isTTY) process.stderr.write('\r\x1b[2K');
	console.log(lines.join('\n'));
	if (file !== '') writeFileSync(file, JSON.stringify(report, null, 2));
	process.exitCode = ending.signal.aborted ? 130 : Number(!isFine);
	if (error !== undefined && !ending.signal.aborted) throw error;
}

main().catch(fail);
