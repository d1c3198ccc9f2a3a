const LOOPBACK_HOSTS = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/**
 * The address of the service without a trailing slash and without the version prefix `/v1`, which every path of the
 * reference contains (docs/api-reference.md#basics).
 *
 * @throws Error when the text is not a URL, is not `https` (`http` is accepted for loopback hosts only), or contains a user
 * name, a query or a fragment
 */
export function normalizeBaseUrl(text: string): string {
	const trimmed = text.trim();
	if (trimmed === '')
		throw new Error(
			'The Base URL in the Video Hosting credential is empty. Enter the address of the service',
		);

	if (!URL.canParse(trimmed)) {
		throw new Error(
			'The Base URL in the Video Hosting credential must be a full address, e.g. https://api.example.com',
		);
	}
	const url = new URL(trimmed);
	if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK_HOSTS.test(url.hostname))) {
		throw new Error(
			'The Base URL in the Video Hosting credential must start with https://, because email, password and token are sent to it. Use http:// for localhost only',
		);
	}
	if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
		throw new Error(
			'The Base URL in the Video Hosting credential must not contain a user name, a query or a fragment. Enter https://, the host and, if needed, a path',
		);
	}
	return url.origin + url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '').replace(/\/+$/, '');
}
