import type { ServiceCredential } from '../../fakeService';

const tokens = new Map<string, Promise<string>>();

/** Signs in at the first upload to an address; every side keeps its token, as n8n does. */
export async function bearerToken(credential: ServiceCredential): Promise<string> {
	const token = tokens.get(credential.baseUrl) ?? signIn(credential);
	tokens.set(credential.baseUrl, token);
	return await token;
}

async function signIn({ baseUrl, email, password, applicationId }: ServiceCredential): Promise<string> {
	const response = await fetch(`${baseUrl}/v1/authenticate`, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify({ email, password, resource: applicationId }),
	});
	// The fake service's default; the body is not documented (docs/api-reference.md#authenticate).
	const { token } = (await response.json()) as { token: string };
	return token;
}
