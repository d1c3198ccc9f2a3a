import { strict as assert } from 'node:assert';
import { createHash, randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';

import fc from 'fast-check';

import { executeNode, itemWithFile } from '../execution/executeNode';
import { startService } from '../fakeService';

// Without its extension, tsx resolves this path to VideoHosting.node.json.
const { VideoHosting } = createRequire(__filename)(
	'../../nodes/VideoHosting/VideoHosting.node.ts',
) as typeof import('../../nodes/VideoHosting/VideoHosting.node');

/** What users and expressions put into a number field. */
const odd = fc.constantFrom(
	0.1,
	0.05,
	1.7,
	9.9,
	16.1,
	0,
	-1,
	1e21,
	5e-324,
	NaN,
	Infinity,
	'5',
	true,
	null,
	[1],
);
const number = (min: number, max: number) =>
	fc.oneof(odd, fc.integer({ min: Math.ceil(min), max }), fc.double({ min, max, noNaN: true }));

const options = fc.record(
	{
		idleTimeoutSeconds: number(1, 3_000_000),
		maxRequestMegabytes: number(0, 20),
		maxWaitMinutes: number(0, 40_000),
	},
	{ requiredKeys: [] },
);

/**
 * Whatever the options of Upload are, the service gets exactly the bytes of the file, or the node rejects an option by its
 * name before it sends anything. Run in a process of its own: a read loop without progress would freeze Jest as well.
 */
async function main(): Promise<void> {
	const service = await startService();
	const property = fc.asyncProperty(options, async (given) => {
		service.state.uploads = [];
		service.requests.length = 0;
		// A request of one byte each needs a small file.
		const megabytes = Number(given.maxRequestMegabytes ?? 0);
		const bytes = randomBytes(megabytes > 0 && megabytes < 0.01 ? 20 : 200_000);
		const item = await itemWithFile(bytes, { fileName: 'keynote.mp4', mimeType: 'video/mp4' });
		const parameters = {
			resource: 'upload',
			operation: 'upload',
			// Values that n8n's types exclude, but an expression may return.
			options: { ...given, returnVideo: false, resumeUnfinished: false } as object as Record<string, number>,
		};
		const outcome = await executeNode({
			service,
			nodeType: new VideoHosting(),
			items: [item],
			parameters,
		}).catch((error: unknown) => error);
		if (outcome instanceof Error) {
			assert.match(outcome.message, /^(Idle Timeout|Max Request Size|Max Wait) .+ (must be|is not) a number/);
			assert.equal(service.requests.length, 0);
			return;
		}
		const [upload] = service.state.uploads;
		assert.equal(upload?.sha256, createHash('sha256').update(bytes).digest('hex'));
		for (const { headers } of service.requestsOf('uploadPatch')) {
			assert.match(headers['content-length'] ?? '', /^[1-9]\d*$/);
		}
	});
	await fc.assert(property, { numRuns: 150, seed: Number(process.argv[2] ?? Date.now()) });
	await service.close();
}

main().then(
	() => process.exit(0),
	(error: unknown) => {
		console.error(error);
		process.exit(1);
	},
);
