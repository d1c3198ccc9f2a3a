const LOOPBACK_HOSTS = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/**
 * The address of the service without a trailing slash and without the version prefix `/v1`, which every path of the
 * reference carries itself (docs/api-reference.md#basics).
 *
 * @throws Error when the text is no address, is not `https` (plain `http` is for loopback hosts alone), or carries
 * a user name, a query or a fragment
 */
export function normalizeBaseUrl(text: string): string {
	const trimmed = text.trim();
	if (trimmed === '') throw new Error('The Base URL in the Video Hosting credential is empty');

	if (!URL.canParse(trimmed)) {
		throw new Error(
			'The Base URL in the Video Hosting credential is not a web address: it looks like https://api.example.com',
		);
	}
	const url = new URL(trimmed);
	if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK_HOSTS.test(url.hostname))) {
		throw new Error(
			'The Base URL in the Video Hosting credential must start with https://, because e-mail, password and token are sent to it (http:// works for localhost only)',
		);
	}
	if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
		throw new Error(
			'The Base URL in the Video Hosting credential may hold no user name, query or fragment: only https://, the host and a path',
		);
	}
	return url.origin + url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '').replace(/\/+$/, '');
}
