import Ajv from 'ajv';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { CASES, validParameters } from './actions/operationCases';
import { executeForJson, itemWithFile } from './execution/executeNode';
import { read } from './pages';
import { responseShapes, startService, type RunningService, type ServiceSettings } from './fakeService';

interface Schema {
	type: string | string[];
	nullable?: boolean;
	properties?: Record<string, Schema>;
	items?: Schema;
}

/** n8n reads `__schema__/v<major>.<minor>.<patch>/<resource>/<operation>.json` next to the node's file. */
const folder = 'nodes/VideoHosting/__schema__/v1.0.0';
const knownOperations = Object.keys(CASES).filter((name) => !CASES[name]?.hasNoSchema);

const ajv = new Ajv({ allErrors: true });
// n8n's own field of these files.
ajv.addKeyword('version');

let service: RunningService;

const start = async (settings: Partial<ServiceSettings>) => {
	service = await startService(settings);
};
afterEach(async () => {
	await service?.close();
});

describe.each(knownOperations)('The output schema of %s', (name) => {
	it('has only fields that the output has', async () => {
		await start({ headReturnsLength: true });
		const outputs = await runAll(name);
		expect(outputs.length).toBeGreaterThan(0);
		const found = outputs.flatMap((output) => [...fieldPaths(output)]);
		expect(found).toEqual(expect.arrayContaining([...schemaPaths(schemaOf(name))]));
	});

	it('accepts the output in every form of the response', async () => {
		const validate = ajv.compile(schemaOf(name));
		for (const settings of responseForms()) {
			await start(settings);
			for (const output of await runAll(name)) {
				const errors = validate(output) ? [] : validate.errors;
				expect({ settings, output, errors }).toEqual({ settings, output, errors: [] });
			}
			await service.close();
		}
	});
});

/** Each value of each setting of the fake service at least once. */
function responseForms(): Array<Partial<ServiceSettings>> {
	const { listShapes, recordNames, singleShapes, writeResponses } = responseShapes;
	return listShapes.map((listShape, index) => ({
		listShape,
		recordNames: recordNames[index % recordNames.length],
		singleShape: singleShapes[Math.floor(index / 2) % singleShapes.length],
		writeResponse: writeResponses[index % writeResponses.length],
		headReturnsLength: index % 2 === 0,
	}));
}

function schemaOf(name: string): Schema {
	// Our own files; ajv checks their structure.
	return JSON.parse(read(`${folder}/${name}.json`)) as Schema;
}

/**
 * The editor shows the fields of a schema only if its type is the text `object`, not a list of types or `anyOf` (n8n-editor-ui 2.41.1
 * dist/assets/workflows.store-1K8xwhMX.js, getSchemaForJsonSchema of useDataSchema).
 */
function* schemaPaths({ type, properties = {}, items }: Schema, place = ''): Generator<string> {
	for (const [field, inner] of Object.entries(properties)) {
		expect([place, type]).toEqual([place, 'object']);
		yield `${place}${field}`;
		yield* schemaPaths(inner, `${place}${field}.`);
	}
	if (items) yield* schemaPaths(items, place);
}

function* fieldPaths(value: unknown, place = ''): Generator<string> {
	if (Array.isArray(value)) for (const element of value) yield* fieldPaths(element, place);
	else if (typeof value === 'object' && value !== null) {
		for (const [field, inner] of Object.entries(value)) {
			yield `${place}${field}`;
			yield* fieldPaths(inner, `${place}${field}.`);
		}
	}
}

const ofNoFolder = { folder: { __rl: true, mode: 'list', value: '' } };
/** What else is varied; the default is one run with the valid parameters. */
const variants: Record<string, INodeParameters[]> = {
	'event/create': [{}, { options: { skipIfExists: true } }],
	'event/get': [{}, { options: { includeSecret: true } }],
	'event/getAll': [{}, { options: { includeSecret: true } }],
	'folder/create': [{}, { options: { skipIfExists: true, description: '' } }],
	'upload/upload': [
		{},
		ofNoFolder,
		{ options: { returnVideo: false } },
		{ ...ofNoFolder, options: { skipIfExists: true } },
	],
	'upload/resume': [{}, ofNoFolder, { options: { returnVideo: false } }],
};

/** The outputs of all variants of an operation, each with records of its own. */
async function runAll(name: string): Promise<IDataObject[]> {
	const outputs: IDataObject[] = [];
	for (const variant of variants[name] ?? [{}]) outputs.push(...(await run(name, variant)));
	return outputs;
}

async function run(name: string, variant: INodeParameters): Promise<IDataObject[]> {
	const [resource = '', operation = ''] = name.split('/');
	const [event] = service.seedEvents(1);
	const [gallery] = service.seedFolders(1);
	const [video] = service.seedVideos([{ folder: gallery?.uuid }, { folder: null }]);
	const [bytes, mimeType] =
		operation === 'setThumbnail' ? ['image', 'image/png'] : ['bytes of a film', 'video/mp4'];
	const file = await itemWithFile(Buffer.from(bytes), { fileName: 'film.mp4', mimeType });
	const parameters: INodeParameters = {
		...validParameters(resource, operation)[0],
		event: { __rl: true, mode: 'hash', value: event?.hash ?? '' },
		folder: { __rl: true, mode: 'uuid', value: gallery?.uuid ?? '' },
		video:
			name === 'video/delete'
				? { __rl: true, mode: 'name', value: video?.name ?? '' }
				: { __rl: true, mode: 'hash', value: video?.hash ?? '' },
		...variant,
	};
	if (name === 'upload/getStatus' || name === 'upload/resume') {
		const create = { resource: 'upload', operation: 'create', fileName: 'film.mp4', size: bytes.length };
		await executeForJson({ service, parameters: create });
		parameters.uploadId = service.state.uploads.at(-1)?.id ?? '';
	}
	const items: INodeExecutionData[] = [file];
	return await executeForJson({ service, parameters, items });
}
