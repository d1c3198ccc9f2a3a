import Ajv from 'ajv';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { CASES, responseForms, seedRecords, validItem, validParameters } from './actions/operationCases';
import { run } from './actions/run';
import { by } from './execution/locator';
import { responseShapes } from './fakeService';
import { service, serviceForEachTest } from './fakeService/serviceForEachTest';
import { read } from './pages';

interface Schema {
	type: string | string[];
	properties?: Record<string, Schema>;
	items?: Schema;
}

/** n8n reads `__schema__/v<major>.<minor>.<patch>/<resource>/<operation>.json` next to the node's file. */
const folder = 'nodes/VideoHosting/__schema__/v1.0.0';
const knownOperations = Object.keys(CASES).filter((name) => !CASES[name]?.hasNoSchema);

const ajv = new Ajv({ allErrors: true });
// n8n's own field of these files.
ajv.addKeyword('version');

serviceForEachTest();

describe.each(knownOperations)('The output schema of %s', (name) => {
	it.each(responseShapes.recordNames)('has only fields of the output, with records in %s', async (names) => {
		service.settings.headReturnsLength = true;
		service.settings.recordNames = names;
		const outputs = await outputsOf(name);
		const found = outputs.flatMap((output) => [...fieldPaths(output)]);
		expect(found).toEqual(expect.arrayContaining([...schemaPaths(schemaOf(name))]));
	});

	it.each(responseForms())('accepts the output of %j', async (settings) => {
		Object.assign(service.settings, settings);
		const validate = ajv.compile(schemaOf(name));
		for (const output of await outputsOf(name)) {
			const errors = validate(output) ? [] : validate.errors;
			expect({ output, errors }).toEqual({ output, errors: [] });
		}
	});
});

it.each(['event/get', 'folder/get', 'video/get'])('Each output schema describes a record as %s', (name) => {
	const { properties: record = {} } = schemaOf(name);
	for (const other of knownOperations)
		for (const fields of objectsIn(schemaOf(other))) {
			const common = Object.keys(record).filter((field) => field in fields);
			const isRecord = common.length > 2 && !('deleted' in fields);
			if (isRecord) expect({ other, fields }).toEqual({ other, fields: expect.objectContaining(record) });
		}
});

/** The fields of an object, and of those in it. */
function objectsIn({ properties = {}, items }: Schema): Array<Record<string, Schema>> {
	return [properties, ...[...Object.values(properties), ...(items ? [items] : [])].flatMap(objectsIn)];
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

const ofNoFolder = { folder: by('list', '') };
/** What else is varied; the default is one run with the valid parameters. */
const variants: Record<string, INodeParameters[]> = {
	'event/create': [{}, { options: { skipIfExists: true } }],
	'event/delete': [
		{ event: by('title', 'Town hall') },
		{ event: by('title', 'Gone'), options: { skipIfMissing: true } },
	],
	'event/get': [{}, { options: { includeSecret: true } }],
	'event/getAll': [{}, { options: { includeSecret: true } }],
	'event/upsert': [{ title: 'Gala' }, { title: 'Premiere' }],
	'folder/create': [{}, { options: { skipIfExists: true, description: '' } }],
	'upload/upload': [
		{},
		ofNoFolder,
		{ options: { returnVideo: false } },
		{ ...ofNoFolder, options: { skipIfExists: true } },
	],
	'upload/resume': [{}, ofNoFolder, { options: { returnVideo: false } }],
	'video/delete': [{ video: by('name', 'Video') }],
};

/** The outputs of all variants of an operation. */
async function outputsOf(name: string): Promise<IDataObject[]> {
	seedRecords();
	const outputs: IDataObject[] = [];
	const [valid] = validParameters(name);
	for (const variant of variants[name] ?? [{}]) {
		const parameters: INodeParameters = { ...valid, ...variant };
		const file = await validItem();
		if (name === 'upload/getStatus' || name === 'upload/resume') {
			const create = { resource: 'upload', operation: 'create', fileName: 'film.png' };
			await run({ ...create, folder: parameters.folder, size: Number(file.binary?.data?.bytes) });
			parameters.uploadId = service.state.uploads.at(-1)?.id ?? '';
		}
		outputs.push(...(await run(parameters, { items: [file] })));
	}
	return outputs;
}
