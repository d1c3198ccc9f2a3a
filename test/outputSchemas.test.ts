import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { VideoHosting } from '../nodes/VideoHosting/VideoHosting.node';
import { executeForJson, itemWithFile } from './execution/executeNode';
import { startService, type RunningService } from './service';

interface Schema {
	type: string | string[];
	properties?: Record<string, Schema>;
	items?: Schema;
}

/** n8n reads `__schema__/v<major>.<minor>.<patch>/<resource>/<operation>.json` beside the node's file. */
const folder = join(__dirname, '..', 'nodes', 'VideoHosting', '__schema__', 'v1.0.0');
const schemaNames = readdirSync(folder).flatMap((resource) =>
	readdirSync(join(folder, resource)).map((file) => `${resource}/${file.replace(/\.json$/, '')}`),
);

/** Every operation in the node's panel, as `resource/operation`. */
const operationNames = new VideoHosting().description.properties
	.filter(({ name }) => name === 'operation')
	.flatMap(({ displayOptions, options = [] }) => {
		const resources = (displayOptions?.show?.resource ?? []).filter((value) => typeof value === 'string');
		const operations = options.flatMap((option) => ('value' in option ? [option.value] : []));
		return resources.flatMap((resource) => operations.map((operation) => `${resource}/${operation}`));
	});

/** The reference names no field of their answers, so nothing can be shown before the first run. */
const unknownAnswers = ['diskUsage/getApplication', 'diskUsage/getFolder'];

let service: RunningService;

beforeEach(async () => {
	service = await startService({ headAnswersLength: true });
});
afterEach(async () => {
	await service.close();
});

it('tells the editor the output fields of every operation whose answer is known', () => {
	expect(schemaNames.sort()).toEqual(operationNames.filter((name) => !unknownAnswers.includes(name)).sort());
});

it.each(schemaNames)('foretells fields that %s really puts out', async (name) => {
	const schema: Schema = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
	const [output] = await run(name);
	expect(output).toBeDefined();
	expect(mismatches(schema, output, 'output')).toEqual([]);
});

async function run(name: string): Promise<IDataObject[]> {
	const [resource = '', operation = ''] = name.split('/');
	const [event] = service.seedEvents(1);
	const [gallery] = service.seedFolders(1);
	const [video] = service.seedVideos([{ folder: gallery?.uuid }]);
	const file = await itemWithFile(Buffer.from('bytes of a film'), {
		fileName: 'film.mp4',
		mimeType: 'video/mp4',
	});
	const image = await itemWithFile(Buffer.from('bytes of an image'), {
		fileName: 'film.png',
		mimeType: 'image/png',
	});
	const unfinished = async () => {
		await executeForJson({
			service,
			parameters: { resource: 'upload', operation: 'create', fileName: 'film.mp4', size: 15 },
		});
		return service.state.uploads.at(-1)?.id ?? '';
	};

	const pick = {
		event: {
			mode: operation === 'delete' ? 'id' : 'hash',
			value: (operation === 'delete' ? event?.eventId : event?.hash) ?? '',
		},
		folder: { mode: 'uuid', value: gallery?.uuid ?? '' },
		video: { mode: 'hash', value: video?.hash ?? '' },
	};
	const own: Record<string, INodeParameters> = {
		'event/create': { title: 'All-hands', dateScheduled: '2030-05-01 18:00' },
		'event/update': { title: 'All-hands' },
		'folder/create': { name: 'Webinars' },
		'folder/update': { updateFields: { name: 'Webinars' } },
		'video/search': { name: 'Video' },
		'video/update': { name: 'Interview' },
		'upload/create': { fileName: 'film.mp4', size: 15 },
	};
	const parameters: INodeParameters = { resource, operation, planId: '', ...pick, ...own[name] };
	if (name === 'upload/getStatus' || name === 'upload/resume') parameters.uploadId = await unfinished();
	const items: Record<string, INodeExecutionData[]> = {
		'video/setThumbnail': [image],
		'upload/upload': [file],
		'upload/resume': [file],
	};
	return await executeForJson({ service, parameters, items: items[name] });
}

/** Where a value differs from its schema: fields that are not there, and values of another type. */
function mismatches(schema: Schema, value: unknown, place: string): string[] {
	const types = [schema.type].flat();
	const found = typeOf(value);
	if (!types.includes(found) && !(found === 'integer' && types.includes('number'))) {
		return [`${place} is ${found}, not ${types.join(' or ')}`];
	}
	if (Array.isArray(value)) {
		return value.flatMap((element, index) =>
			schema.items ? mismatches(schema.items, element, `${place}[${index}]`) : [],
		);
	}
	if (found !== 'object') return [];
	const record = value as Record<string, unknown>;
	return Object.entries(schema.properties ?? {}).flatMap(([field, inner]) =>
		mismatches(inner, record[field], `${place}.${field}`),
	);
}

function typeOf(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	return Number.isInteger(value) ? 'integer' : typeof value;
}
