import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { executeNode, itemWithFileInMemory } from '../execution/executeNode';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { shortenPauses } from '../upload/uploading';

shortenPauses();
setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void; // V8's

let service: RunningService;
serviceForEachTest((started) => (service = started));

/** Reserves an upload in a run of its own, and returns a weak reference to the file of its input item. */
async function reserve(size: number): Promise<WeakRef<object>> {
	const bytes = Buffer.alloc(size, 'x');
	const item = itemWithFileInMemory(bytes, { fileName: 'keynote.mp4', mimeType: 'video/mp4' });
	const file = new WeakRef(item.binary?.data ?? {});
	const { items } = await executeNode({
		...{ service, items: [item], executionId: String(Math.random()) },
		parameters: { resource: 'upload', operation: 'create', fileName: 'keynote.mp4', size },
	});
	expect(items[0]?.binary?.data).toBeDefined();
	return file;
}

async function collect(): Promise<void> {
	for (let turn = 0; turn < 5; turn++) {
		await new Promise((resolve) => setTimeout(resolve, 20));
		gc();
	}
}

it('the file of an item is not kept in memory after Upload → Create (n8n 1.x: base64 of the whole file)', async () => {
	const file = await reserve(1_000_000);
	await collect();
	expect(file.deref() === undefined).toBe(true);
});
