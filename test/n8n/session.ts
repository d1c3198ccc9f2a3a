/** An answer of n8n's other than 2xx; the message holds n8n's own words. */
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

/** Speaks to n8n as the signed-in editor does. Every request throws an `N8nRestError` when n8n refuses it. */
export class N8nSession {
	private cookie = '';

	constructor(private readonly url: string) {}

	/**
	 * n8n answers `/rest/settings` with a plain text while it is starting, and with JSON once it is ready
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

	/** Signs in as n8n's owner, who is set up first where there is none yet. */
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

	async get<Answer>(path: string): Promise<Answer> {
		return await this.request('GET', path);
	}

	async post<Answer>(path: string, body: object, headers?: Record<string, string>): Promise<Answer> {
		return await this.request('POST', path, body, headers);
	}

	/** `path` starts below `/rest`; returns what the answer holds as `data`. */
	async request<Answer>(
		method: string,
		path: string,
		body?: object,
		headers?: Record<string, string>,
	): Promise<Answer> {
		const response = await this.fetch(`/rest${path}`, {
			method,
			...(headers && { headers }),
			...(body && { body: JSON.stringify(body) }),
		});
		return JSON.parse((await response.text()) || '{}').data;
	}

	/** Any address of n8n, e.g. `/types/nodes.json`. */
	async fetch(address: string, options: RequestInit): Promise<Response> {
		const headers = new Headers(options.headers);
		headers.set('cookie', this.cookie);
		// A kept connection may be closed by n8n (after 5 s) in the very moment in which the next request goes out on it.
		headers.set('connection', 'close');
		if (options.body) headers.set('content-type', 'application/json');
		const response = await fetch(this.url + address, { ...options, headers });
		if (!response.ok) {
			const words = `${options.method ?? 'GET'} ${address}: ${response.status} ${await response.text()}`;
			throw new N8nRestError(words, response.status);
		}
		const signedIn = response.headers.getSetCookie().find((cookie) => cookie.startsWith('n8n-auth='));
		if (signedIn) this.cookie = signedIn.split(';')[0] ?? '';
		return response;
	}
}
