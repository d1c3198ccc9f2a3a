import { createHash, randomBytes } from 'node:crypto';

import { executeForJson, itemWithFile } from '../../execution/executeNode';
import { startService, type RunningService } from '../../service';

let service: RunningService;
beforeEach(async () => {
	service = await startService();
});
afterEach(async () => {
	await service.close();
});

const parameters = { resource: 'upload', operation: 'upload' };
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('Upload → Upload', () => {
	it('sends a file byte for byte and returns its figures and its video', async () => {
		const bytes = randomBytes(3_000_000);
		const [output] = await executeForJson({
			service,
			parameters,
			items: [await itemWithFile(bytes, { fileName: 'keynote.mp4', mimeType: 'video/mp4' })],
		});

		const [upload] = service.state.uploads;
		expect(upload).toMatchObject({ sha256: sha256(bytes), bytesReceived: 3_000_000, filename: 'keynote.mp4' });
		expect(output).toMatchObject({
			uploadId: upload?.id,
			fileName: 'keynote.mp4',
			size: 3_000_000,
			offset: 3_000_000,
			complete: true,
			folder: null,
			bytesSent: 3_000_000,
			resumes: 0,
			skipped: false,
			video: { hash: service.state.videos[0]?.hash, name: 'keynote.mp4' },
		});
	});

	it('goes on at the offset of the service when the connection is cut twice', async () => {
		const bytes = randomBytes(3_000_000);
		service.order({ on: 'uploadPatch', kind: 'reset', afterBytes: 1_000_000, times: 2 });
		const [output] = await executeForJson({
			service,
			parameters,
			items: [await itemWithFile(bytes, { fileName: 'keynote.mp4', mimeType: 'video/mp4' })],
		});

		const [upload] = service.state.uploads;
		expect(upload).toMatchObject({ sha256: sha256(bytes), bytesReceived: 3_000_000 });
		expect(upload?.patches.map(({ offset }) => offset)).toEqual([0, 1_000_000, 2_000_000]);
		expect(output).toMatchObject({ complete: true, resumes: 2 });
	});
});
