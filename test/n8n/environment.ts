import { delimiter, dirname } from 'node:path';

import type { InstalledN8n } from './installN8n';

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

/**
 * The environment of an n8n process. Nothing of it is inherited but what finds programs and certificates: Jest's NODE_ENV
 * would put n8n into its own test mode, and a proxy set for this shell would receive requests for loopback addresses.
 * HOME is the user folder, which makes `<userFolder>/.n8n-files` the one folder n8n 2.x lets nodes read files from.
 */
export function environmentOf({ release, node }: InstalledN8n, userFolder: string): NodeJS.ProcessEnv {
	const { PATH, TMPDIR, LANG, NODE_EXTRA_CA_CERTS } = process.env;
	return {
		...(TMPDIR && { TMPDIR }),
		...(LANG && { LANG }),
		...(NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS }),
		PATH: [dirname(node), PATH].join(delimiter),
		HOME: userFolder,
		N8N_USER_FOLDER: userFolder,
		N8N_HOST: '127.0.0.1',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		...(release.disabledModules && { N8N_DISABLED_MODULES: release.disabledModules }),
		...quiet,
	};
}
