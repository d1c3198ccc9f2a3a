import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { executeForJson } from '../execution/executeNode';
import { loadPicker } from '../execution/loadPicker';
import { by } from '../execution/locator';
import { responseShapes, type RunningService, type ServiceSettings } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

/** The node works with every structure of an undocumented response (docs/api-reference.md#what-is-not-documented). */
let service: RunningService;
serviceForEachTest((started) => (service = started));

type RecordNames = ServiceSettings['recordNames'];

const {
	listShapes: LIST_SHAPES,
	recordNames: RECORD_NAMES,
	singleShapes: SINGLE_SHAPES,
	writeResponses: WRITE_RESPONSES,
} = responseShapes;

/** The record of event 4001 as each setting names its fields. */
const EVENT: Record<RecordNames, (hash: string) => IDataObject> = {
	camelCase: (hash) => ({
		eventId: 4001,
		hash,
		title: 'Event 4001',
		dateScheduled: '2030-01-01 18:00:00',
		status: 'WAITING_LIVE',
		planId: 'plan-1001',
	}),
	snake_case: (hash) => ({
		event_id: 4001,
		event_hash: hash,
		title: 'Event 4001',
		date_scheduled: '2030-01-01 18:00:00',
		status: 'WAITING_LIVE',
		plan_id: 'plan-1001',
	}),
	plain: (hash) => ({
		id: 4001,
		hash,
		name: 'Event 4001',
		date: '2030-01-01 18:00:00',
		status: 'WAITING_LIVE',
	}),
	nestedPlan: (hash) => ({
		eventId: 4001,
		hash,
		title: 'Event 4001',
		dateScheduled: '2030-01-01 18:00:00',
		status: 'WAITING_LIVE',
		plan: { id: 'plan-1001' },
	}),
};

const LISTS = LIST_SHAPES.flatMap((listShape) =>
	RECORD_NAMES.map((recordNames) => ({ listShape, recordNames })),
);

describe.each(LISTS)('A list as $listShape of records in $recordNames', (settings) => {
	beforeEach(() => Object.assign(service.settings, settings));

	it('comes out as records, all pages of it', async () => {
		service.settings.pageSizeCap = 2;
		service.settings.defaultPageSize = 2;
		const [event] = service.seedEvents(3);
		service.seedVideos(3);
		const folders = service.seedFolders(3);
		const everything = async (resource: string) =>
			await executeForJson({ service, parameters: { resource, operation: 'getAll', returnAll: true } });

		const events = await everything('event');
		expect(events).toHaveLength(3);
		expect(events[0]).toEqual(EVENT[settings.recordNames](event?.hash ?? ''));
		expect(await everything('video')).toHaveLength(3);
		expect(await everything('folder')).toEqual(folders);
	});

	it('fills the pickers', async () => {
		const [event] = service.seedEvents(1);
		const [folder] = service.seedFolders([{ name: 'Concerts' }]);
		const [video] = service.seedVideos([
			{ name: 'Trailer.mp4', createdDate: '2030-05-01T10:00:00.000Z', folder: folder?.uuid },
		]);
		const eventName = 'Event 4001 (2030-01-01 18:00)';
		expect((await loadPicker('searchEvents', { service })).results).toEqual([
			{ name: eventName, value: event?.hash },
		]);
		expect((await loadPicker('searchVideos', { service })).results).toEqual([
			{ name: 'Trailer.mp4 (2030-05-01 12:00 Europe/Berlin, Concerts)', value: video?.hash },
		]);
		expect((await loadPicker('searchFolders', { service })).results).toEqual([
			{ name: 'Concerts', value: folder?.uuid },
		]);
	});

	it('supports the lookups', async () => {
		const [, event] = service.seedEvents(3);
		const [folder] = service.seedFolders(1);
		await executeForJson({
			service,
			parameters: {
				resource: 'event',
				operation: 'update',
				event: by('hash', event?.hash ?? ''),
				title: 'New',
			},
		});
		await executeForJson({
			service,
			parameters: { resource: 'folder', operation: 'delete', folder: by('uuid', folder?.uuid ?? '') },
		});
		expect(service.state.events[1]?.title).toBe('New');
		expect(service.state.folders).toEqual([]);
	});

	it('may be empty', async () => {
		for (const emptyList of ['list', '404', 'null'] as const) {
			service.settings.emptyList = emptyList;
			for (const resource of ['event', 'video', 'folder']) {
				expect(await executeForJson({ service, parameters: { resource, operation: 'getAll' } })).toEqual([]);
			}
			for (const picker of ['searchEvents', 'searchVideos', 'searchFolders'] as const) {
				expect((await loadPicker(picker, { service })).results).toEqual([]);
			}
		}
	});
});

const SINGLES = SINGLE_SHAPES.flatMap((singleShape) =>
	RECORD_NAMES.map((recordNames) => ({ singleShape, recordNames })),
);

describe.each(SINGLES)('One record as $singleShape in $recordNames', (settings) => {
	beforeEach(() => Object.assign(service.settings, settings));

	it('comes out as the record', async () => {
		const [event] = service.seedEvents(1);
		const [output] = await executeForJson({
			service,
			parameters: { resource: 'event', operation: 'get', event: by('hash', event?.hash ?? '') },
		});
		expect(output).toEqual(EVENT[settings.recordNames](event?.hash ?? ''));
	});

	it.each(WRITE_RESPONSES)('or what a write returns instead: %s', async (writeResponse) => {
		service.settings.writeResponse = writeResponse;
		const [event] = service.seedEvents(1);
		const [video] = service.seedVideos(1);
		const hash = event?.hash ?? '';
		const written = async (parameters: INodeParameters) => {
			const [output] = await executeForJson({ service, parameters });
			return output;
		};

		const renamed = {
			...EVENT[settings.recordNames](hash),
			[settings.recordNames === 'plain' ? 'name' : 'title']: 'New',
		};
		const [updated, created, videoUpdated] = [
			await written({ resource: 'event', operation: 'update', event: by('hash', hash), title: 'New' }),
			await written({
				resource: 'event',
				operation: 'create',
				title: 'Next',
				dateScheduled: '2030-05-05 10:00',
			}),
			await written({
				resource: 'video',
				operation: 'update',
				video: by('hash', video?.hash ?? ''),
				name: 'x',
			}),
		];
		if (writeResponse === 'record') {
			expect(updated).toEqual(renamed);
			expect(created).toMatchObject({ status: 'WAITING_LIVE' });
			expect(Object.values(videoUpdated ?? {})).toContain(video?.hash);
		} else {
			const result = (success: string) =>
				writeResponse === 'success' ? { success } : { result: writeResponse === 'empty' ? '' : [] };
			expect(updated).toEqual(result('Event updated'));
			expect(created).toMatchObject(result('Event created'));
			expect(videoUpdated).toEqual(result('Video updated'));
		}
		expect(created?.sent).toEqual({ dateScheduled: '2030-05-05 10:00:00', timezone: 'Europe/Berlin' });
		expect(service.state.events.map(({ title }) => title)).toEqual(['New', 'Next']);
	});
});
