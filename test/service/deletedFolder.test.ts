import { executeForJson } from '../execution/executeNode';
import { by } from '../execution/locator';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { onlyUpload, shortenPauses, upload } from '../upload/uploading';

shortenPauses();

let service: RunningService;
serviceForEachTest((started) => (service = started));

const create = { resource: 'folder', operation: 'create', name: 'Webinars', options: { skipIfExists: true } };

describe('A new folder that was deleted before a list has shown it is created again', () => {
	it('when a person deletes it in the web interface between the first two runs', async () => {
		const run = async () =>
			await upload(service, {
				parameters: { folder: by('name', 'Webinars') },
				options: { createFolder: true },
				bytes: Buffer.alloc(1000, 'x'),
			});
		await run();
		service.state.folders = [];
		service.state.uploads.length = 0;
		const { output } = await run();
		expect(output.complete).toBe(true);
		expect(onlyUpload(service).folder).toBe(service.state.folders[0]?.uuid);
	});

	it('when the response to its deletion is lost', async () => {
		const [first] = await executeForJson({ service, parameters: create });
		service.injectFault({ on: 'folderDelete', kind: 'lostResponse' });
		const folder = by('uuid', first?.uuid as string);
		const parameters = {
			...{ resource: 'folder', operation: 'delete', folder, options: { name: 'Webinars' } },
		};
		await executeForJson({ service, parameters, onError: 'continueRegularOutput' });
		expect(service.state.folders).toHaveLength(0);
		expect(await executeForJson({ service, parameters: create })).toMatchObject([{ skipped: false }]);
	});
});

describe('A folder that this process created is used while the list is late', () => {
	beforeEach(() => (service.settings.folderAppearsAfterMs = 60_000));
	const uploadInto = async (name: string) =>
		await upload(service, {
			parameters: { folder: by('name', name) },
			options: { createFolder: true },
			bytes: Buffer.alloc(1000, 'x'),
		});

	it('when Folder → Create has a description', async () => {
		const parameters = { ...create, options: { description: 'x' } };
		await executeForJson({ service, parameters });
		await uploadInto('Webinars');
		expect(service.state.folders).toHaveLength(1);
	});

	it('when Folder → Create has no options', async () => {
		await executeForJson({ service, parameters: { ...create, options: {} } });
		await uploadInto('Webinars');
		expect(service.state.folders).toHaveLength(1);
	});
});
