import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { chromium, selectors, type Browser } from 'playwright-core';

import { canInstallDebianPackages, installPrograms } from '../n8n/debianPackages';
import { SetupError, step, type Report } from '../n8n/progress';

/** Where Linux and macOS keep Chromium or Chrome. */
const usualPlaces = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Nothing of the browser's own that speaks to a server outside this machine. */
const flags = [
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/**
 * Starts Chromium, headless and with a profile of its own. Where Chromium is missing, it is installed: from the packages
 * of Debian when this is root on such a system, else as a download of Playwright. `CHROMIUM` names another one.
 * Throws a `SetupError` that explains what to do when no Chromium can be installed.
 */
export async function launchBrowser(report: Report): Promise<Browser> {
	const executablePath = await provideChromium(report);
	// n8n marks what tests look for with data-test-id.
	selectors.setTestIdAttribute('data-test-id');
	// Chromium does not run as root inside its own sandbox.
	const sandbox = isRoot() ? ['--no-sandbox'] : [];
	return await chromium.launch({ executablePath, args: [...flags, ...sandbox] });
}

async function provideChromium(report: Report): Promise<string> {
	const found = () =>
		[process.env.CHROMIUM, ...usualPlaces, chromium.executablePath()].find(
			(path) => path !== undefined && path !== '' && existsSync(path),
		);
	const present = found();
	if (present !== undefined) return present;

	let failure = '';
	await install(report).catch((error: unknown) => (failure = String(error)));
	const installed = found();
	if (installed !== undefined) return installed;
	throw new SetupError(
		'A Chromium or Chrome is needed to test the editor and could not be installed. Install one (Debian: apt-get install chromium), ' +
			`or name it in the environment variable CHROMIUM, then run the command again.\n${failure}`,
	);
}

async function install(report: Report): Promise<void> {
	if (canInstallDebianPackages()) {
		await installPrograms(['chromium'], report);
		return;
	}
	const playwright = dirname(require.resolve('playwright-core/package.json'));
	await step(report, "Installing Playwright's Chromium", async () => {
		await promisify(execFile)(process.execPath, [join(playwright, 'cli.js'), 'install', 'chromium']);
	});
}

function isRoot(): boolean {
	return process.getuid?.() === 0;
}
