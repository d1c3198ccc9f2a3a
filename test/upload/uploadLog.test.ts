import { UploadLog } from '../../nodes/VideoHosting/upload/uploadLog';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { onlyUpload, upload } from './uploading';

serviceForEachTest();

it.each(['trigger', 'manual'] as const)('The log of an upload has start, ID and end (%s)', async (mode) => {
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

it('The log of an upload has each interruption, each resume, the end of a failed upload, and a wait when it begins', async () => {
	service.injectFault({ on: 'uploadCreate', kind: 'status', status: 429, times: 6 });
	service.injectFault({ on: 'uploadPatch', kind: 'reset' });
	service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 300_000, times: 2 });
	service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400 });
	const { log } = await upload(service, { mode: 'trigger', onError: 'continueRegularOutput' });
	const { id } = onlyUpload(service);
	const waits = log.filter((line) => line.includes('waits for the upload slot'));
	expect(waits).toHaveLength(1);
	expect(waits[0]).toMatch(
		/complete it with Upload → Resume: its ID is in the line "was created as" of this log$/,
	);
	expect(log.filter((line) => line.includes('was interrupted'))).toHaveLength(3);
	expect(log.filter((line) => line.includes('resumes at'))).toEqual([
		`Upload of "keynote.mp4" (${id}) resumes at 0 of 1000000 bytes`,
		`Upload of "keynote.mp4" (${id}) resumes at 300000 of 1000000 bytes`,
		`Upload of "keynote.mp4" (${id}) resumes at 600000 of 1000000 bytes`,
	]);
	expect(log.at(-1)).toContain(`(${id}) ends at 600000 of 1000000 bytes: `);
});

it('The log of an upload says, as the error does, that the number of bytes at the service is not known', async () => {
	service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 500_000 });
	service.injectFault({ on: 'uploadHead', kind: 'reset', times: 1000 });
	const { log, output } = await upload(service, { onError: 'continueRegularOutput' });
	const { id } = onlyUpload(service);
	const message = expect.stringMatching(`Upload ${id} may be unfinished.$`);
	expect(output.error).toMatchObject({ message, uploadId: id, offset: null });
	expect(log.at(-1)).toMatch(/ ends: The service at/);
});

it('The log of an upload has one line per event, whatever the name of the file', async () => {
	const parameters = { fileName: 'a\r\nb\u0007.mp4' };
	const { log } = await upload(service, { parameters });
	for (const line of log) expect(line).toMatch(/^Upload of "a b \.mp4" [^\p{Cc}]*$/u);
});

it('The log of a large upload has a line after each tenth of 10 MB or more, and one a minute', () => {
	const time = jest.spyOn(performance, 'now').mockReturnValue(0);
	const info = jest.fn();
	const logOf = (megabytes: number) => {
		const file = { name: 'a.mp4', size: megabytes * 1e6 };
		return new UploadLog({ logger: { info }, sendMessageToUI: () => {} } as never, file, { uploadId: 'u' });
	};
	const [log, small] = [logOf(200), logOf(50)];
	for (const megabytes of [19, 20, 39, 40]) log.progress(megabytes * 1e6);
	time.mockReturnValue(60_000);
	for (const megabytes of [41, 42, 200]) log.progress(megabytes * 1e6);
	time.mockReturnValue(0);
	for (const megabytes of [5, 10, 50]) small.progress(megabytes * 1e6);
	time.mockRestore();
	expect(info.mock.calls).toEqual(
		['10 %, 20 MB of 200', '20 %, 40 MB of 200', '20 %, 41 MB of 200', '20 %, 10 MB of 50'].map((at) => [
			`Upload of "a.mp4" (u) is at ${at} MB`,
			expect.objectContaining({ uploadId: 'u', fileName: 'a.mp4' }),
		]),
	);
});
