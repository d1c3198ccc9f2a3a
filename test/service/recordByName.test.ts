import type { INodeParameters } from 'n8n-workflow';

import { executeForJson, executeNode } from '../execution/executeNode';
import { by } from '../execution/locator';
import { withKnownPaging } from '../execution/knownPaging';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = withKnownPaging(started)));

/** Every operation that chooses an event or video. */
const EVENT_OPERATIONS: Array<[string, INodeParameters]> = [
	['get', {}],
	['update', { title: 'New title' }],
	['start', {}],
	['end', {}],
	['delete', {}],
];
const VIDEO_OPERATIONS: Array<[string, INodeParameters]> = [
	['get', {}],
	['update', { name: 'New name' }],
	['delete', {}],
	['move', { folder: by('name', 'Webinars') }],
];
const NFC = 'Café Talk'.normalize('NFC');
const NFD = NFC.normalize('NFD');

const change = () =>
	service.requests.filter(({ method, operation }) => method !== 'GET' && operation !== 'authenticate');

describe('By Title', () => {
	const event = (operation: string, more: INodeParameters, title: string) => ({
		resource: 'event',
		operation,
		event: by('title', title),
		...more,
	});

	it('finds the one event for the next item after the list broke off', async () => {
		service.settings.pageSizeCap = 10;
		const events = service.seedEvents(25);
		const title = events[20]?.title ?? '';
		service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 500, skip: 2, times: 3 });
		const { items } = await executeNode({
			...{ service, onError: 'continueRegularOutput', items: [{ json: {} }, { json: {} }] },
			parameters: event('get', {}, title),
		});
		expect(items[0]?.json).toHaveProperty('error');
		expect(items[1]?.json).toMatchObject({ title });
	});

	it.each(EVENT_OPERATIONS)('%s uses the one event of exactly that title', async (operation, more) => {
		service.settings.pageSizeCap = 10;
		const events = service.seedEvents([
			...[...Array(25).keys()].map((n) => ({ title: `Talk ${n}` })),
			{ title: NFD },
			{ title: 'café talk' },
			{ title: `${NFC} 2` },
		]);
		const [output] = await executeForJson({ service, parameters: event(operation, more, ` ${NFC} `) });
		expect(JSON.stringify([output, ...change().map(({ body }) => body)])).toContain(events[25]?.hash);
	});

	it.each(EVENT_OPERATIONS)(
		'%s lists several with date and hash, names a title that no event has, and changes none',
		async (operation, more) => {
			const [one, , other] = service.seedEvents([{ title: NFC }, {}, { title: NFD }]);
			const run = async (title: string) =>
				await executeNode({ service, parameters: event(operation, more, title) });
			await expect(run(NFC)).rejects.toMatchObject({
				message: `2 events have the title "${NFC}": ${other?.hash} (${other?.dateScheduled}), ${one?.hash} (${one?.dateScheduled})`,
				description: 'Choose one of them in Event By Hash.',
			});
			await expect(run('event 4001')).rejects.toThrow(
				'The plan plan-1001 has no event with the title "event 4001"',
			);
			expect(change()).toEqual([]);
		},
	);

	it('reads the list once for all items, and follows what the run itself changes', async () => {
		service.seedEvents([{ title: 'A' }, { title: 'C' }]);
		const parameters = event('update', { title: '={{ $json.to }}' }, '={{ $json.from }}');
		const items = [
			{ json: { from: 'A', to: 'B' } },
			{ json: { from: 'B', to: 'C' } },
			{ json: { from: 'C', to: 'D' } },
		];
		const run = { service, parameters, items, onError: 'continueRegularOutput' as const };
		const errors = (await executeForJson(run)).map(({ error }) => error);
		expect(errors).toEqual([undefined, undefined, expect.stringMatching(/^2 events/)]);
		expect(service.state.events.map(({ title }) => title)).toEqual(['C', 'C']);
	});
});

describe('By Name', () => {
	const video = (operation: string, more: INodeParameters, name: string) => ({
		resource: 'video',
		operation,
		video: by('name', name),
		...more,
	});
	beforeEach(() => service.seedFolders([{ name: 'Webinars' }]));

	it.each(VIDEO_OPERATIONS)('%s uses the one video of exactly that name', async (operation, more) => {
		service.seedVideos([
			{ name: `${NFC} 2`, hash: 'longer' },
			{ name: NFD, hash: 'wanted' },
			{ name: 'CAFÉ TALK', hash: 'upper' },
		]);
		const [output] = await executeForJson({ service, parameters: video(operation, more, ` ${NFC}`) });
		expect(JSON.stringify([output, ...change().map(({ path }) => path)])).toContain('wanted');
	});

	it.each(VIDEO_OPERATIONS)(
		'%s lists several with date and hash, names a name that no video has, and changes none',
		async (operation, more) => {
			const createdDate = '2030-01-02T03:04:05.000Z';
			service.seedVideos([NFC, NFD].map((name, index) => ({ name, hash: `take-${index}`, createdDate })));
			const run = async (name: string) =>
				await executeNode({ service, parameters: video(operation, more, name) });
			await expect(run(NFD)).rejects.toThrow(
				new RegExp(
					`^2 videos have the name "${NFD}": take-. \\(${createdDate}\\), take-. \\(${createdDate}\\)`,
				),
			);
			await expect(run('Interview')).rejects.toThrow(
				'The plan plan-1001 has no video with the name "Interview"',
			);
			expect(change()).toEqual([]);
		},
	);
});
