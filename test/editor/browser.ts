import { existsSync } from 'node:fs';

import { chromium, selectors, type Browser } from 'playwright-core';

import { installedProgram } from '../n8n/debianPackages';

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
 * Starts Chromium, headless and with a profile of its own. `CHROMIUM` names another one; without one, Debian's is installed.
 * Throws a `SetupError` that explains what to do when that is not possible.
 */
export async function launchBrowser(): Promise<Browser> {
	const found = [process.env.CHROMIUM, ...usualPlaces].find((path) => path && existsSync(path));
	const executablePath = found ?? (await installedProgram('chromium'));
	// n8n marks what tests look for with data-test-id.
	selectors.setTestIdAttribute('data-test-id');
	// Chromium does not run as root inside its own sandbox.
	const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
	return await chromium.launch({ executablePath, args: [...flags, ...sandbox] });
}
