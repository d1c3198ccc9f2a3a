import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { RESOURCES } from '../../nodes/VideoHosting/actions/panel';
import { read, repository, sectionOf } from '../pages';
import { CASES, MODES } from './operationCases';

/** The names of these tests say which file to edit. */
const CASES_FILE = 'test/actions/operationCases.ts';
const ROOM = 'nodes/VideoHosting/actions';
const SCHEMAS = 'nodes/VideoHosting/__schema__/v1.0.0';
/** The page and section in which a resource's operations, options and filters are explained. */
const EXPLAINED: Record<string, [page: string, section: string]> = {
	diskUsage: ['docs/operations.md', 'Disk usage'],
	event: ['docs/operations.md', 'Events'],
	folder: ['docs/operations.md', 'Folders'],
	upload: ['docs/uploads.md', 'Options'],
	video: ['docs/operations.md', 'Videos'],
};

const operations = Object.entries(RESOURCES).flatMap(([resource, { name: title, operations: list }]) =>
	Object.entries(list).map(([key, operation]) => ({
		resource,
		title,
		operation,
		path: `${resource}/${key}`,
	})),
);
const paths = operations.map(({ path }) => path);

describe.each(operations)('$path', ({ resource, operation: { name, parameters }, path }) => {
	it(`has its parameters and its request in ${CASES_FILE}`, () => {
		const names = parameters.map((each) => (each.collection ? `${each.collection}.${each.name}` : each.name));
		expect([...(CASES[path]?.parameters ?? [])].sort()).toEqual(names.sort());
		if (resource !== 'upload') expect(CASES[path]?.request).toBeDefined();
	});

	it(`chooses records From List first, and in the modes of ${CASES_FILE}`, () => {
		for (const { default: initial, modes, name: field } of parameters.filter((each) => each.modes)) {
			const expected = [...(MODES[field] ?? []), ...(path === 'event/delete' ? ['id'] : [])];
			expect(modes?.map((mode) => mode.name)).toEqual(expected);
			expect(initial).toEqual({ mode: 'list', value: '' });
		}
	});

	it(`is explained with its options and filters in ${EXPLAINED[resource]?.join(', section ')}`, () => {
		const [page = '', section = ''] = EXPLAINED[resource] ?? [];
		// Plan ID, which most operations have, is explained once for all, and so are the outputs of uploads.
		const common = sectionOf('docs/operations.md', 'Choosing a record');
		const text = [sectionOf(page, section), sectionOf(page, 'Output'), common].join(' ');
		expect(text).toMatch(new RegExp(`\\b${name}\\b`));
		const added = parameters.filter(({ collection }) => collection !== undefined);
		expect(added.filter(({ displayName }) => !text.includes(displayName))).toEqual([]);
	});
});

it('The file of each operation cites its section of docs/api-reference.md', () => {
	const files = Object.keys(RESOURCES).flatMap((resource) =>
		readdirSync(join(repository, ROOM, resource)).map((file) => `${ROOM}/${resource}/${file}`),
	);
	const ofOperations = files.filter((file) => /\bexecute[(:]/.test(read(file)));
	// Start and End share a file.
	expect(ofOperations).toHaveLength(operations.length - 1);
	expect(ofOperations.filter((file) => !/docs\/api-reference\.md#/.test(read(file)))).toEqual([]);
});

describe('Each operation, and none that is gone, is in', () => {
	it(`${CASES_FILE}, and in the index.ts of its resource`, () => {
		expect(Object.keys(CASES).sort()).toEqual([...paths].sort());
	});

	it(`${SCHEMAS}, unless it has hasNoSchema in ${CASES_FILE}`, () => {
		const schemas = readdirSync(join(repository, SCHEMAS), { recursive: true, encoding: 'utf8' });
		const described = paths.filter((path) => !CASES[path]?.hasNoSchema).map((path) => `${path}.json`);
		expect(schemas.filter((file) => file.endsWith('.json')).sort()).toEqual(described.sort());
	});

	it('README.md, in the order of the panel', () => {
		const rows = [...sectionOf('README.md', 'Operations').matchAll(/^\| \*\*(.+)\*\* +\| (.+?) +\|$/gm)];
		const listed = rows.flatMap(([, title, list = '']) =>
			list.split(', ').map((name) => `${title}: ${name}`),
		);
		expect(listed).toEqual(operations.map(({ title, operation: { name } }) => `${title}: ${name}`));
	});
});
