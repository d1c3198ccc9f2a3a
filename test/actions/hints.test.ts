import { executeNode } from '../execution/executeNode';
import { answer, service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { films, newFolder, upload } from '../upload/uploading';
import { createFolder, expectError, named, run, runWithHints } from './run';

serviceForEachTest();

const shown = (hints: Array<{ message: string }>) => hints.map(({ message }) => message);

describe('Hints', () => {
	const event = { resource: 'event', operation: 'create', title: '={{ $json.name }}' };
	const inThePast = { ...event, dateScheduled: '2020-01-01 18:00:00' };
	const hintsOf = async (...names: string[]) =>
		(await runWithHints(inThePast, { items: named(...names) })).hints;

	it('of a run are at most five, and the others are counted', async () => {
		const hints = await hintsOf(...[...Array(200).keys()].map((number) => `Event ${number}`));
		expect(hints).toHaveLength(6);
		expect(hints[4]).toContain('Event 4');
		expect(hints[5]).toBe('Further hints that are not shown: 195');
	});

	it('count the items that failed in a run that continues, with the first reason', async () => {
		service.injectFault({ on: 'folderCreate', kind: 'status', status: 400, error: 'No room', times: 3 });
		const items = named(...[...Array(12).keys()].map(String));
		const { hints } = await runWithHints(createFolder, { items, onError: 'continueRegularOutput' });
		expect(hints).toEqual(['3 of 12 items failed: Creating the folder "0": No room.']);
	});

	it('contain no HTML of a name, and no more than 300 characters of one', async () => {
		const link = `<a href="https://a.example">Your session & more</a>`;
		const items = named(link, 'x'.repeat(100_000));
		const { html } = await executeNode({ service, parameters: inThePast, items });
		const [shownLink, long = ''] = html;
		expect(shownLink).toContain(
			'&lt;a href=&quot;https://a.example&quot;&gt;Your session &amp; more&lt;/a&gt;',
		);
		expect(long.length).toBeLessThan(350);
		answer('eventInsert', { hash: 'h1', title: 'y'.repeat(100_000) });
		for (const hint of await hintsOf('y')) expect(hint.length).toBeLessThan(350);
	});
});

describe('A run with Skip If Exists', () => {
	const skip = { skipIfExists: true };

	it('says once how many files were skipped, and in which folder their videos are, where none was chosen', async () => {
		const folder = newFolder(service);
		const [{ name } = {}] = service.state.folders;
		service.seedVideos([{ name: 'a.mp4', size: 1_000_000, folder: folder.value }]);
		service.seedVideos([{ name: 'b.mp4', size: 1_000_000 }]);
		const run = { items: await films('a.mp4', 'b.mp4', 'c.mp4'), options: skip };
		const hint = (count: string) => `Skipped ${count} files: videos of these names exist already`;
		expect(shown((await upload(service, run)).hints)).toEqual([`${hint('2 of 3')}, in the folder "${name}"`]);
		const { hints } = await upload(service, { item: run.items[0], parameters: { folder }, options: skip });
		expect(shown(hints)).toEqual([hint('1 of 1')]);
	});

	it('that fails in the middle says how another run makes nothing twice', async () => {
		service.injectFault({ on: 'folderCreate', kind: 'status', status: 400, error: 'No', skip: 2 });
		const failing = run({ ...createFolder, options: skip }, { items: named('a', 'b', 'c') });
		await expectError(failing, '2 of 3 items are complete. Skip If Exists leaves them out the next time.');
	});
});
