import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { RESOURCES } from '../../nodes/VideoHosting/actions/panel';
import type { Operation } from '../../nodes/VideoHosting/actions/operation';
import { VideoHosting } from '../../nodes/VideoHosting/VideoHosting.node';
import { read, repository, sectionOf } from '../pages';
import { places } from '../parameters/places';
import { CASES, MODES, validParameters } from './operationCases';

const node = new VideoHosting();
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

const isOperation = (exported: unknown): exported is Operation =>
	typeof exported === 'object' && exported !== null && 'execute' in exported && 'action' in exported;

/** The files of a resource with the operations that they export. */
const files = Object.keys(RESOURCES).flatMap((resource) =>
	readdirSync(join(repository, ROOM, resource)).map((file) => {
		// A module of ours; what it exports is checked.
		const exported = jest.requireActual<object>(join(repository, ROOM, resource, file));
		return { resource, file, found: Object.values(exported).filter(isOperation) };
	}),
);
const operations = Object.entries(RESOURCES).flatMap(([resource, { name: title, operations: list }]) =>
	Object.entries(list).map(([key, operation]) => ({
		...{ resource, title, key, operation, name: `${resource}/${key}` },
		file: files.find(({ found }) => found.includes(operation))?.file,
	})),
);

/** What to do for an operation, each with the file to edit. */
function missingOf({ resource, key, name, file, operation }: (typeof operations)[number]): string[] {
	const known = CASES[name];
	if (!known) return [`${CASES_FILE}: add '${name}'`];
	const missing: string[] = [];
	const { parameters } = operation;
	const names = parameters.map((each) => (each.collection ? `${each.collection}.${each.name}` : each.name));
	if (JSON.stringify(names.sort()) !== JSON.stringify([...known.parameters].sort()))
		missing.push(`${CASES_FILE}: the parameters of '${name}' are ${names.join(', ')}`);
	for (const values of validParameters(name))
		for (const { property: field } of places(node, values))
			if (field.required && field.default === '' && values[field.name] === undefined)
				missing.push(`${CASES_FILE}: give '${name}' a value of ${field.name}`);
	for (const { default: initial, modes = [], name: field, type } of parameters) {
		const expected = [...(MODES[field] ?? []), ...(name === 'event/delete' ? ['id'] : [])];
		if (type === 'resourceLocator' && String(modes.map((mode) => mode.name)) !== String(expected))
			missing.push(`${CASES_FILE}: the modes of ${field} in MODES are not those of '${name}'`);
		if (type === 'resourceLocator' && JSON.stringify(initial) !== JSON.stringify({ mode: 'list', value: '' }))
			missing.push(`${ROOM}/${resource}/${file}: begin ${field} with From List`);
	}
	if (typeof known.request === 'string' && !existsSync(join(repository, known.request)))
		missing.push(`${CASES_FILE}: '${name}' names no test file`);

	const source = `${ROOM}/${resource}/${file}`;
	if (!/docs\/api-reference\.md#/.test(read(source)))
		missing.push(`${source}: cite the section of docs/api-reference.md`);
	const schema = `${SCHEMAS}/${name}.json`;
	if (existsSync(join(repository, schema)) === (known.hasNoSchema ?? false))
		missing.push(`${schema}: describe the output, or set hasNoSchema in ${CASES_FILE}`);
	const [page = '', section = ''] = EXPLAINED[resource] ?? [];
	// Plan ID, which most operations have, is explained once for all, and so are the outputs of uploads.
	const sections = [sectionOf(page, section), sectionOf(page, 'Output')];
	const text = [...sections, sectionOf('docs/operations.md', 'Choosing a record')].join(' ');
	if (!new RegExp(`\\b${operation.name}\\b`).test(sections.join(' ')))
		missing.push(`${page}: mention ${operation.name} in the section ${section}`);
	for (const { collection, displayName } of parameters)
		if (collection !== undefined && collection !== 'updateFields' && !text.includes(displayName))
			missing.push(`${page}: explain ${displayName} of ${key} in the section ${section}`);
	return missing;
}

it('Nothing is missing of any operation; each line names the file to edit', () => {
	const listed = operations.map(({ operation }) => operation);
	const unlisted = files.flatMap(({ resource, file, found }) =>
		found
			.filter((operation) => !listed.includes(operation))
			.map(({ name }) => `${ROOM}/${resource}/index.ts: add ${name} of ${file} to operations`),
	);
	expect([...unlisted, ...operations.flatMap(missingOf)]).toEqual([]);
});

it('Nothing is left of an operation that is gone: saved workflows may use it', () => {
	const names = operations.map(({ name }) => name);
	const schemas = readdirSync(join(repository, SCHEMAS), { recursive: true, encoding: 'utf8' });
	const described = schemas.filter((file) => file.endsWith('.json')).map((file) => file.slice(0, -5));
	const isGone = (name: string) => !names.includes(name);
	expect([
		...Object.keys(CASES)
			.filter(isGone)
			.map((name) => `${CASES_FILE}: remove '${name}'`),
		...described.filter(isGone).map((name) => `${SCHEMAS}/${name}.json: remove it`),
	]).toEqual([]);
	const rows = [...sectionOf('README.md', 'Operations').matchAll(/^\| \*\*(.+)\*\* +\| (.+?) +\|$/gm)];
	const inReadme = rows.flatMap(([, title, list = '']) =>
		list.split(', ').map((name) => `${title}: ${name}`),
	);
	// Edit the table in README.md: all are there, in the order of the panel.
	expect(inReadme).toEqual(operations.map(({ title, operation: { name } }) => `${title}: ${name}`));
});
