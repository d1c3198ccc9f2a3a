import { service, serviceForEachTest } from './serviceForEachTest';
import { createHeaders, patchHeaders } from './uploadHeaders';

// What the service rejects, which the node never sends: other tests rely on that.
serviceForEachTest();

/** Sends a request of an upload, with one header changed. */
async function send(method: 'POST' | 'PATCH', header: string, value: string) {
	const { applicationId: resource, baseUrl, email, password } = service.credential;
	const json = { 'Content-Type': 'application/json' };
	const account = { method: 'POST', headers: json, body: JSON.stringify({ email, password, resource }) };
	const signedIn = await fetch(`${baseUrl}/v1/authenticate`, account);
	// See docs/api-reference.md#authenticate.
	const { token } = (await signedIn.json()) as { token: string };
	const path = method === 'POST' ? 'videos' : 'videos/uploads/any';
	const headers = new Headers(method === 'POST' ? createHeaders(10) : patchHeaders(0));
	headers.set('Authorization', `Bearer ${token}`);
	headers.set(header, value);
	const body = method === 'PATCH' ? Buffer.alloc(10) : undefined;
	return await fetch(`${baseUrl}/v1/${path}`, { method, headers, body });
}

it.each([
	['POST', 'Upload-Length', '-1'],
	['POST', 'Upload-Metadata', 'filename clip.mp4'],
	['POST', 'Content-Type', 'text/plain'],
	['PATCH', 'Upload-Offset', 'zero'],
] as const)(
	'An upload needs its headers as documented, not %s with %s: %s',
	async (method, header, value) => {
		const response = await send(method, header, value);
		expect([response.status, await response.json()]).toEqual([400, { error: 'Bad Request' }]);
		expect(service.requests.at(-1)?.reason).toContain(header);
	},
);
