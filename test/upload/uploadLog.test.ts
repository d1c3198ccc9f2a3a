import { randomBytes } from 'node:crypto';

import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { onlyUpload, upload } from './uploading';

describe('the log of an upload', () => {
	serviceForEachTest();

	it.each(['trigger', 'manual'] as const)('has its start, its ID and its end (%s)', async (mode) => {
		const { consoleMessages, log } = await upload(service, { mode });
		const { id } = onlyUpload(service);
		expect(log).toEqual([
			'Upload of "keynote.mp4" starts: 1 MB',
			`Upload of "keynote.mp4" (${id}) was created as "keynote.mp4": Upload → Resume with this ID completes it`,
			`Upload of "keynote.mp4" (${id}) is complete: 1 MB, resumed 0 times`,
		]);
		// A manual run shows them in the console of the browser as well.
		expect(consoleMessages.length).toBe(mode === 'manual' ? 3 : 0);
	});

	it('has each interruption, each wait, each resume and the end of a failed upload', async () => {
		service.injectFault({ on: 'uploadCreate', kind: 'status', status: 429 });
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 300_000, times: 2 });
		service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400 });
		const { log } = await upload(service, { mode: 'trigger', onError: 'continueRegularOutput' });
		const { id } = onlyUpload(service);
		expect(log.filter((line) => line.includes('waits for the upload slot'))).toHaveLength(1);
		expect(log.filter((line) => line.includes('was interrupted'))).toHaveLength(2);
		expect(log.filter((line) => line.includes('resumes at'))).toEqual([
			`Upload of "keynote.mp4" (${id}) resumes at 300000 of 1000000 bytes`,
			`Upload of "keynote.mp4" (${id}) resumes at 600000 of 1000000 bytes`,
		]);
		expect(log.at(-1)).toContain(`(${id}) ends at 600000 of 1000000 bytes: `);
	});

	it('says, as the error does, that the number of bytes at the service is not known', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 500_000 });
		service.injectFault({ on: 'uploadHead', kind: 'reset', times: 1000 });
		const { log, output } = await upload(service, { onError: 'continueRegularOutput' });
		expect(output.error).toMatchObject({ uploadId: onlyUpload(service).id, offset: null });
		expect(log.at(-1)).toMatch(/ ends, and how many bytes the service has is not known: The service at/);
	});

	it('has a line when the wait for the slot begins, and one a minute', async () => {
		service.injectFault({ on: 'uploadCreate', kind: 'status', status: 429, times: 6 });
		const time = performance.now.bind(performance);
		// Each try lets 25 seconds pass.
		const passedMs = () => 25_000 * service.requestsOf('uploadCreate').length;
		jest.spyOn(performance, 'now').mockImplementation(() => time() + passedMs());
		const { log } = await upload(service).finally(() => jest.restoreAllMocks());
		const waits = log.filter((line) => line.includes('waits for the upload slot'));
		expect(waits).toHaveLength(2);
		expect(waits[0]).toMatch(
			/complete it with Upload → Resume: its ID is in the line "was created as" of this log$/,
		);
	});

	it('has one line per event, whatever the name of the file', async () => {
		const parameters = { fileName: 'a\nb\u0007.mp4' };
		const { log } = await upload(service, { bytes: randomBytes(10), parameters });
		for (const line of log) expect(line).not.toMatch(/\p{Cc}/u);
	});
});
