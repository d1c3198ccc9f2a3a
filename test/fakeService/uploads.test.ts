import { executeNode } from '../execution/executeNode';
import { service, serviceForEachTest } from './serviceForEachTest';
import { newUpload } from './state';
import { createHeaders, patchHeaders } from './uploadHeaders';

// What the service rejects, which the node never sends: other tests rely on that.
serviceForEachTest();

const count = { resource: 'folder', operation: 'count' };

/** Sends a request that creates an upload of ten bytes, or that sends them to the upload with this ID. */
async function send(id: string | undefined, changed: Record<string, string> = {}) {
	const { credentialStore } = await executeNode({ service, parameters: count });
	const own = id === undefined ? createHeaders(10) : patchHeaders(0);
	const headers = { ...own, Authorization: `Bearer ${credentialStore.token}`, ...changed };
	const url = `${service.baseUrl}/v1/videos`;
	if (id === undefined) return await fetch(url, { method: 'POST', headers });
	return await fetch(`${url}/uploads/${id}`, { method: 'PATCH', headers, body: Buffer.alloc(10) });
}

it.each([
	['POST', 'Upload-Length', '-1'],
	['POST', 'Upload-Metadata', 'name Y2xpcA=='],
	['POST', 'Content-Type', 'text/plain'],
	['PATCH', 'Upload-Offset', 'zero'],
])('%s of an upload needs its headers as documented, not %s: %s', async (method, header, value) => {
	const response = await send(method === 'PATCH' ? 'any' : undefined, { [header]: value });
	expect([response.status, await response.json()]).toEqual([400, { error: 'Bad Request' }]);
	expect(service.requests.at(-1)?.reason).toContain(header);
});

it('Bytes beyond Upload-Length are rejected, and any bytes while an upload is being sent', async () => {
	service.settings.slotHeldBy = 'transferring';
	const short = newUpload(service.settings.applicationId, 'short.mp4', 5, null);
	const other = newUpload(service.settings.applicationId, 'other.mp4', 10, null);
	service.state.uploads.push(short, other);
	expect((await send(short.id)).status).toBe(400);
	other.transferring = true;
	for (const { id } of [short, other]) expect((await send(id)).status).toBe(429);
	expect(service.state.uploads).toMatchObject([{ bytesReceived: 0 }, { bytesReceived: 0 }]);
});
