import { createServer } from 'node:http';

import type { IBinaryData } from 'n8n-workflow';

import { executeNode } from '../execution/executeNode';
import { startService } from '../fakeService';
import { listen } from '../fakeService/listen';

/**
 * A program of its own, which a test can end: uploads a file whose size is made up, and prints the error and what the service received.
 * Its arguments are where the size comes from (`url` or `binary`), and the size.
 */
async function main([source = '', size = '']: string[]): Promise<void> {
	const service = await startService();
	const server = createServer((_request, response) => {
		response.writeHead(206, { 'Content-Range': `bytes 0-0/${size}`, 'Content-Length': 1, ETag: '"v1"' });
		response.end('a');
	});
	const url = `http://127.0.0.1:${await listen(server)}/film.mp4`;
	// Another type than its own: JSON of a Code node may have anything.
	const bytes = JSON.parse(size) as number;
	const data: IBinaryData = { id: 'filesystem-v2:gone', data: 'filesystem-v2', mimeType: 'video/mp4', bytes };
	const { items } = await executeNode({
		service,
		items: [{ json: {}, binary: { data: { ...data, fileName: 'film.mp4' } } }],
		parameters: { resource: 'upload', operation: 'upload', source, url },
		onError: 'continueRegularOutput',
	});
	process.stdout.write(
		JSON.stringify({ error: items[0]?.json.error ?? items[0]?.error, requests: service.requests }),
	);
	process.exit();
}

main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(error);
	process.exit(1);
});
