import { executeForJson } from '../execution/executeNode';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { startFileServer } from '../sources/fileServer';

let service: RunningService;
serviceForEachTest((started) => (service = started));

/** What the agent's model chose reaches the node as n8n hands it over: `$fromAI()` reads it from the item. */
const chosen = (query: Record<string, string | number | boolean>) => [{ json: { query } }];
const fromAi = (name: string, type: string) => `={{ $fromAI('${name}', '', '${type}') }}`;

describe('What a model fills in', () => {
	it('schedules an event', async () => {
		const [output] = await executeForJson({
			service,
			parameters: {
				resource: 'event',
				operation: 'create',
				title: fromAi('Title', 'string'),
				dateScheduled: fromAi('Date_Scheduled', 'string'),
				options: { timezone: fromAi('Timezone', 'string') },
			},
			items: chosen({ Title: 'Stand-up', Date_Scheduled: '2030-05-05T10:00:00Z', Timezone: 'America/Lima' }),
		});
		expect(service.requestsOf('eventInsert')[0]?.body).toEqual({
			planId: 'plan-1001',
			title: 'Stand-up',
			dateScheduled: '2030-05-05 05:00:00',
		});
		expect(output?.sent).toEqual({ dateScheduled: '2030-05-05 05:00:00', timezone: 'America/Lima' });
	});

	it('uploads a file from an address, and resumes what failed by the ID in the error', async () => {
		const files = await startFileServer(Buffer.alloc(100_000, 'video'));
		try {
			service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: 60_000 });
			const parameters = { resource: 'upload', source: 'url', url: fromAi('URL', 'string') };
			const options = { returnVideo: false };
			// An agent receives message and description of a tool's error, not its item (n8n-core 2.41.1
			// dist/execution-engine/node-execution-context/utils/get-input-connection-data.js).
			const message = await executeForJson({
				service,
				parameters: { ...parameters, operation: 'upload', options },
				items: chosen({ URL: files.url }),
			}).then(
				() => 'It did not fail',
				(error: unknown) => (error instanceof Error ? error.message : String(error)),
			);
			const [uploadId = ''] = /(?<=Upload )[\w-]{36}(?= has \d+ of 100000 bytes)/.exec(message) ?? [];
			const [output] = await executeForJson({
				service,
				parameters: { ...parameters, operation: 'resume', uploadId: fromAi('Upload_ID', 'string'), options },
				items: chosen({ URL: files.url, Upload_ID: uploadId }),
			});
			expect(output).toMatchObject({ uploadId, complete: true, bytesSent: 40_000 });
		} finally {
			await files.close();
		}
	});
});
