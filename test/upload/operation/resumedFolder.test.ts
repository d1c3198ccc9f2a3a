import { executeForJson } from '../../execution/executeNode';
import { by } from '../../execution/locator';
import type { RunningService } from '../../fakeService';
import { serviceForEachTest } from '../../fakeService/serviceForEachTest';
import { shortenPauses, upload } from '../uploading';

shortenPauses();

let service: RunningService;
serviceForEachTest((started) => (service = started));

it('A folder that the service refused for a Resume is not doubted after a Resume without one', async () => {
	const [first] = service.seedFolders([{ name: 'First' }]);
	const [reserved] = await executeForJson({
		service,
		parameters: {
			...{ resource: 'upload', operation: 'create', fileName: 'keynote.mp4', size: 1000 },
			folder: by('uuid', String(first?.uuid)),
		},
	});
	const bytes = Buffer.alloc(1000, 'x');
	const resume = { operation: 'resume' as const, bytes };
	const uploadId = reserved?.uploadId as string;
	const missing = by('uuid', '11111111-2222-4333-8444-555555555555');
	await expect(upload(service, { ...resume, parameters: { uploadId, folder: missing } })).rejects.toThrow(
		/not found/i,
	);
	const { output } = await upload(service, { ...resume, parameters: { uploadId } });
	expect(output).toMatchObject({ complete: true, folder: first?.uuid });
});
