/** A response of n8n with a status other than 2xx; the message contains n8n's error message. */
export class N8nRestError extends Error {
	override name = 'N8nRestError';

	constructor(
		message: string,
		/** HTTP status. */
		readonly status: number,
	) {
		super(message);
	}
}

/** Sends requests to n8n as the signed-in editor does. Every request throws an `N8nRestError` when n8n rejects it. */
export class N8nSession {
	private cookie = '';

	constructor(private readonly url: string) {}

	/**
	 * n8n returns plain text for `/rest/settings` while it is starting, and with JSON once it is ready
	 * (docs/n8n-internals.md#n8n-in-tests).
	 */
	async isReady(): Promise<boolean> {
		try {
			const response = await fetch(`${this.url}/rest/settings`);
			return response.ok && (response.headers.get('content-type') ?? '').includes('json');
		} catch {
			return false;
		}
	}

	/** Signs in as n8n's owner, who is set up first if there is no owner yet. */
	async signIn(owner: { email: string; password: string }): Promise<void> {
		interface Settings {
			userManagement: { showSetupOnFirstLoad: boolean };
		}
		const { userManagement } = await this.get<Settings>('/settings');
		if (userManagement.showSetupOnFirstLoad) {
			await this.post('/owner/setup', { ...owner, firstName: 'Olive', lastName: 'Owner' });
		} else {
			await this.post('/login', { emailOrLdapLoginId: owner.email, password: owner.password });
		}
	}

	async get<T>(path: string): Promise<T> {
		return await this.request('GET', path);
	}

	async post<T>(path: string, body: object): Promise<T> {
		return await this.request('POST', path, body);
	}

	/** `path` starts below `/rest`; returns `data` of the response. */
	async request<T>(method: string, path: string, body?: object): Promise<T> {
		const response = await this.fetch(`/rest${path}`, {
			method,
			...(body && { body: JSON.stringify(body) }),
			headers: { 'content-type': 'application/json' },
		});
		return JSON.parse((await response.text()) || '{}').data;
	}

	/** Any address of n8n, e.g. `/types/nodes.json`. */
	async fetch(address: string, options: RequestInit): Promise<Response> {
		const headers = new Headers(options.headers);
		headers.set('cookie', this.cookie);
		// A kept connection may be closed by n8n (after 5 s) at the moment in which the next request is sent on it.
		headers.set('connection', 'close');
		const response = await fetch(this.url + address, { ...options, headers });
		if (!response.ok) {
			const message = `${options.method ?? 'GET'} ${address}: ${response.status} ${await response.text()}`;
			throw new N8nRestError(message, response.status);
		}
		const signedIn = response.headers.getSetCookie().find((cookie) => cookie.startsWith('n8n-auth='));
		if (signedIn) this.cookie = signedIn.split(';')[0] ?? '';
		return response;
	}
}
