import { UploadLog } from '../../nodes/VideoHosting/upload/uploadLog';
import { fc } from '../execution/generated';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { onlyUpload, shortenPauses, upload } from './uploading';

shortenPauses();

/** What an upload reports that moves by `step` bytes every `stepMs` milliseconds. */
function reportsOf(
	size: number,
	{ step, stepMs }: { step: number; stepMs: number },
): { log: string[]; console: string[] } {
	const reports = { log: Array<string>(), console: Array<string>() };
	let at = 0;
	const context = {
		logger: { info: (line: string) => reports.log.push(line), debug() {}, warn() {}, error() {} },
		getMode: () => 'manual' as const,
		sendMessageToUI: (line: string) => reports.console.push(line),
	};
	const log = new UploadLog(context, { name: 'keynote.mp4', size }, { uploadId: undefined }, () => at);
	for (let offset = 0; offset < size;) {
		at += stepMs;
		offset = Math.min(size, offset + step);
		log.progress(offset);
	}
	return reports;
}

describe('the log of an upload', () => {
	let service: RunningService;
	serviceForEachTest((started) => (service = started));

	it.each(['trigger', 'manual'] as const)('has its start and its end (%s)', async (mode) => {
		const { consoleMessages, log } = await upload(service, { mode });
		const { id } = onlyUpload(service);
		expect(log).toEqual([
			'Upload of "keynote.mp4" starts: 1 MB',
			`Upload of "keynote.mp4" (${id}) was created: after a restart of n8n, Upload → Resume with this ID completes it`,
			`Upload of "keynote.mp4" (${id}) is complete: 1 MB, resumed 0 times`,
		]);
		// A manual run shows how far it is in the console of the browser as well.
		const texts = JSON.stringify(consoleMessages);
		if (mode === 'manual') expect(texts).toContain('Upload of keynote.mp4: 100 %, 1 MB of 1 MB');
		else expect(consoleMessages).toEqual([]);
	});

	it('has every 10 % of a large file', async () => {
		service.settings.hashing = false;
		const { log } = await upload(service, { mode: 'trigger', bytes: Buffer.alloc(100_000_000, 'video') });
		const percents = log.flatMap((line) => /is at (\d+) %/.exec(line)?.[1] ?? []).map(Number);
		expect(percents.length).toBeGreaterThanOrEqual(8);
		expect(percents.length).toBeLessThanOrEqual(9);
		expect(percents).toEqual([...percents].sort((a, b) => a - b));
	});

	it('has each interruption, each resume and the end of a failed upload', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 300_000, times: 2 });
		service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400 });
		const { log } = await upload(service, { mode: 'trigger', onError: 'continueRegularOutput' });
		const { id } = onlyUpload(service);
		expect(log.filter((line) => line.includes('was interrupted'))).toHaveLength(2);
		expect(log.filter((line) => line.includes('resumes at'))).toEqual([
			`Upload of "keynote.mp4" (${id}) resumes at 300000 of 1000000 bytes`,
			`Upload of "keynote.mp4" (${id}) resumes at 600000 of 1000000 bytes`,
		]);
		expect(log.at(-1)).toContain(`(${id}) ends unfinished at 600000 of 1000000 bytes: `);
	});

	it('has one line per event, whatever the name of the file', async () => {
		const { log } = await upload(service, { fileName: 'a.mp4', parameters: { fileName: 'a\nb\u0007.mp4' } });
		for (const line of log) expect(line).not.toMatch(/\p{Cc}/u);
	});
});

describe('the progress of an upload', () => {
	it('has percent, speed and the time left, in the log and in the console', () => {
		const { log, console } = reportsOf(1_000_000_000, { step: 1_000_000, stepMs: 100 });
		expect(log).toContain('Upload of "keynote.mp4" is at 10 %, 100 MB of 1 GB, 10 MB/s, 1 min 30 s left');
		expect(console).toContain('Upload of keynote.mp4: 5 %, 50 MB of 1 GB, 10 MB/s, 1 min 35 s left');
		expect(console.at(-1)).toMatch(/: 100 %, 1 GB of 1 GB, 10 MB\/s, 0 s left$/);
	});

	it('comes after each step and each minute, and not more often, whatever the size and the speed', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 10 ** 6, max: 10 ** 11 }),
				fc.integer({ min: 5, max: 200 }),
				fc.integer({ min: 1, max: 20_000 }),
				(size, steps, stepMs) => {
					const { log, console } = reportsOf(size, { step: Math.ceil(size / steps), stepMs });
					const seconds = Math.ceil((steps * stepMs) / 1_000);
					expect(log.length).toBeLessThanOrEqual(10 + Math.ceil(seconds / 60));
					if (size >= 10 ** 8) expect(log.length).toBeGreaterThanOrEqual(Math.min(4, steps - 2));
					expect(console.length).toBeLessThanOrEqual(Math.min(seconds, 20 + Math.ceil(seconds / 15)) + 1);
					expect(console.at(-1)).toContain('100 %');
				},
			),
		);
	});
});
