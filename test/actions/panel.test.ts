import { NodeHelpers, type INode, type INodeProperties, type INodePropertyOptions } from 'n8n-workflow';

import { VideoHosting } from '../../nodes/VideoHosting/VideoHosting.node';
import { VideoHostingTrigger } from '../../nodes/VideoHosting/VideoHostingTrigger.node';
import { workflowOfOneNode } from '../execution/workflowOfOneNode';
import packageJson from '../../package.json';
import codex from '../../nodes/VideoHosting/VideoHosting.node.json';
import triggerCodex from '../../nodes/VideoHosting/VideoHostingTrigger.node.json';

const { description } = new VideoHosting();
const { properties } = description;

/** The internal names of all parameters; saved workflows and templates depend on these names. */
const TRANSFER_OPTIONS = [
	'options.idleTimeoutSeconds',
	'options.maxRequestMegabytes',
	'options.maxWaitMinutes',
	'options.returnVideo',
];
const SOURCE = ['source', 'binaryPropertyName', 'url', 'fileName', 'folder', 'options.planId'];
const CONTRACT: Record<string, Record<string, string[]>> = {
	event: {
		create: ['options.planId', 'title', 'dateScheduled', 'options.timezone', 'options.skipIfExists'],
		update: ['options.planId', 'event', 'title', 'options.eventId', 'options.secret'],
		start: ['options.planId', 'event', 'options.secret', 'options.extraBody'],
		end: ['options.planId', 'event', 'options.secret', 'options.extraBody'],
		delete: ['options.planId', 'event'],
		get: ['options.planId', 'event', 'options.includeSecret'],
		getAll: [
			'options.planId',
			'returnAll',
			'limit',
			'options.orderBy',
			'options.orderType',
			'filters.scheduledAfter',
			'filters.scheduledBefore',
			'filters.status',
			'options.includeSecret',
		],
	},
	folder: {
		count: [],
		getAll: ['returnAll', 'limit'],
		get: ['folder'],
		create: ['name', 'options.description', 'options.skipIfExists'],
		update: ['folder', 'updateFields.name', 'updateFields.description'],
		delete: ['folder', 'options.name'],
	},
	upload: {
		upload: [
			...SOURCE,
			...TRANSFER_OPTIONS,
			'options.createFolder',
			'options.resumeUnfinished',
			'options.skipIfExists',
			'options.thumbnailBinaryPropertyName',
			'options.title',
		],
		resume: ['uploadId', ...SOURCE, ...TRANSFER_OPTIONS],
		create: ['fileName', 'size', 'folder', 'options.maxWaitMinutes'],
		getStatus: ['uploadId'],
	},
	video: {
		delete: ['options.planId', 'video'],
		get: ['options.planId', 'video'],
		setThumbnail: ['options.planId', 'video', 'source', 'binaryPropertyName', 'url'],
		update: ['options.planId', 'video', 'name'],
		search: ['options.planId', 'name', 'returnAll', 'limit'],
		getAll: [
			'options.planId',
			'returnAll',
			'limit',
			'filters.name',
			'filters.folder',
			'filters.initialDate',
			'filters.endDate',
			'options.orderBy',
			'options.sort',
		],
		move: ['options.planId', 'video', 'folder', 'options.createFolder'],
	},
	diskUsage: { getApplication: [], getFolder: ['folder'], getFolders: ['returnAll', 'limit'] },
};
const OPERATIONS = Object.entries(CONTRACT).flatMap(([resource, operations]) =>
	Object.entries(operations).map(([operation, parameters]) => ({ resource, operation, parameters })),
);
/** Modes of the resource locators, from the list first. */
const MODES: Record<string, string[]> = {
	'event.delete': ['list', 'hash', 'title', 'id'],
	event: ['list', 'hash', 'title'],
	video: ['list', 'hash', 'name'],
	folder: ['list', 'uuid', 'name'],
};

type Option = INodePropertyOptions & { value: string };

/** The entries of a list of choices. */
function choices(property: INodeProperties | undefined): Option[] {
	return (property?.options ?? []).filter((option): option is Option => 'value' in option);
}

/** The fields of a collection. */
function fieldsOf(property: INodeProperties): INodeProperties[] {
	return (property.options ?? []).filter((option): option is INodeProperties => 'type' in option);
}

const shownFor = (property: INodeProperties, resource: string, operation?: string): boolean => {
	const { resource: resources, operation: operations } = property.displayOptions?.show ?? {};
	return (
		resources?.includes(resource) === true &&
		(operation === undefined ? operations === undefined : operations?.includes(operation) === true)
	);
};
const parametersOf = (resource: string, operation: string) =>
	properties.filter((property) => shownFor(property, resource, operation));

describe('The panel offers the operations and parameters under their stable names', () => {
	it('resources, operations and parameters', () => {
		const offered = choices(properties.find(({ name }) => name === 'resource')).map(({ value: resource }) => {
			const list = properties.find(
				(property) => property.name === 'operation' && shownFor(property, resource),
			);
			expect(choices(list).map(({ value }) => value)).toContain(list?.default);
			const operations = choices(list).map(({ value }) => {
				const names = parametersOf(resource, value).flatMap((property) =>
					property.type === 'collection'
						? fieldsOf(property).map(({ name }) => `${property.name}.${name}`)
						: [property.name],
				);
				return [value, names.sort()];
			});
			return [resource, Object.fromEntries(operations)];
		});
		for (const { parameters } of OPERATIONS) parameters.sort();
		expect(Object.fromEntries(offered)).toEqual(CONTRACT);
	});

	it('resource locators with their modes, From List first', () => {
		for (const { resource, operation } of OPERATIONS) {
			for (const locator of parametersOf(resource, operation).filter(
				({ type }) => type === 'resourceLocator',
			)) {
				const modes = MODES[`${locator.name}.${operation}`] ?? MODES[locator.name];
				expect([resource, operation, locator.modes?.map(({ name }) => name)]).toEqual([
					resource,
					operation,
					modes,
				]);
				expect(locator.default).toEqual({ mode: 'list', value: '' });
			}
		}
	});

	it('Limit only while Return All is off, and 50 of them', () => {
		for (const limit of properties.filter(({ name }) => name === 'limit')) {
			expect(limit.displayOptions?.show?.returnAll).toEqual([false]);
			expect([limit.default, limit.typeOptions?.minValue]).toEqual([50, 1]);
		}
	});
});

/** Every parameter and every field of a collection, of both nodes. */
const everyProperty = [...properties, ...new VideoHostingTrigger().description.properties].flatMap(
	(property) => (property.type === 'collection' ? [property, ...fieldsOf(property)] : [property]),
);
/** The names of time zones are those of workflow settings, and that of the workflow is first. */
const isTimeZone = ({ name }: INodeProperties) => name === 'timezone';
const named = everyProperty.map((property) => ({
	path: property.name,
	shown: property.displayOptions?.show,
	property,
}));
const everyChoice = everyProperty
	.filter((property) => property.type !== 'collection' && !isTimeZone(property))
	.flatMap(choices);

describe('The panel reads like those of n8n', () => {
	const TITLE_CASE = /^([A-Z0-9(][\w()-]*|a|an|and|as|at|by|for|from|if|in|of|on|or|the|to)( |$)/;

	it.each([
		...new Set([
			...everyProperty.map(({ displayName }) => displayName),
			...everyChoice.map(({ name }) => name),
		]),
	])('Title Case: %s', (name) => {
		for (const word of name.split(' ')) expect(word).toMatch(TITLE_CASE);
	});

	it.each(everyProperty.filter(({ placeholder }) => placeholder !== undefined))(
		'a placeholder is an example: $name',
		({ type, placeholder }) => {
			if (type === 'collection') expect(placeholder).toMatch(/^Add (option|field|filter)$/);
			else expect(placeholder).toMatch(/^e\.g\. \S/);
		},
	);

	it('the field of a date names the option that changes its time zone as that option is labelled', () => {
		const named = properties.find(({ name }) => name === 'dateScheduled');
		const option = properties.flatMap(fieldsOf).find(({ name }) => name === 'timezone');
		expect(named?.hint).toContain(`the option ${option?.displayName} `);
	});

	it('an option with a list has a default that is on the list', () => {
		for (const field of properties.flatMap(fieldsOf).filter(({ type }) => type === 'options'))
			expect(choices(field).map(({ value }) => value)).toContain(field.default);
	});

	it('the modes of a resource locator have an example and a check', () => {
		for (const { modes = [] } of everyProperty) {
			for (const mode of modes) {
				if (mode.type === 'list') {
					expect(mode.typeOptions?.searchable).toBe(true);
					expect(mode.placeholder).toMatch(/^Select an? (event|folder|video)…$/);
				} else {
					expect(mode.placeholder).toMatch(/^e\.g\. \S/);
					expect(mode.validation).toHaveLength(1);
				}
			}
		}
	});

	it.each(
		named.filter(
			({ path, property }) =>
				!['resource', 'operation', 'triggerOn'].includes(path) && property.type !== 'collection',
		),
	)('a description explains the field: $path $shown', ({ property }) => {
		const text = property.description ?? '';
		expect(text).toMatch(/^[A-Z]/);
		// One sentence goes without a full stop, several have one each.
		const sentences = text.replace(/<[^>]*>/g, '').split(/\.(?= [A-Z])/).length;
		expect(text.endsWith('.')).toBe(sentences > 1);
		if (property.type === 'boolean') expect(text).toMatch(/^Whether /);
	});

	it('lists are sorted by name', () => {
		for (const property of everyProperty.filter((property) => !isTimeZone(property))) {
			const names =
				property.type === 'collection'
					? fieldsOf(property).map(({ displayName }) => displayName)
					: choices(property).map(({ name }) => name);
			expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
		}
	});

	it.each(OPERATIONS)(
		'$resource $operation has an action text and a line under the node of its own',
		(chosen) => {
			const { resource, operation } = chosen;
			const lists = properties.filter(({ name }) => name === 'operation');
			const named = lists
				.filter((list) => shownFor(list, resource))
				.flatMap(choices)
				.find(({ value }) => value === operation);
			expect(named?.action).toMatch(/^[A-Z][a-z]+ [a-z ]+$/);
			expect(named?.description).toMatch(/^[A-Z].*[^.]$/);
			const sameAction = lists.flatMap(choices).filter(({ action }) => action === named?.action);
			expect(sameAction).toHaveLength(1);

			const { workflow, node } = workflowOfOneNode(new VideoHosting(), { resource, operation });
			const resources = choices(properties.find(({ name }) => name === 'resource'));
			const resourceName = resources.find(({ value }) => value === resource)?.name;
			expect(
				workflow.expression.getSimpleParameterValue(node, description.subtitle ?? '', 'manual', {}),
			).toBe(`${resourceName}: ${named?.name}`);
		},
	);

	it('pickers of a plan start anew when the plan changes', () => {
		for (const { resource, operation } of OPERATIONS) {
			for (const { name, typeOptions } of parametersOf(resource, operation)) {
				if (name === 'event' || name === 'video')
					expect(typeOptions?.loadOptionsDependsOn).toEqual(['options.planId']);
			}
		}
	});
});

describe('The panel finds the node', () => {
	/** docs.n8n.io/connect/create-nodes/build-your-node/reference/codex-files */
	const CATEGORIES = [
		'Analytics',
		'Communication',
		'Data & Storage',
		'Development',
		'Finance & Accounting',
		'Marketing & Content',
		'Miscellaneous',
		'Productivity',
		'Sales',
		'Utility',
	];
	it('by the name of the package, as community nodes are identified, and under categories of n8n', () => {
		for (const { node, categories } of [codex, triggerCodex]) {
			expect(node).toBe(packageJson.name);
			expect(categories.length).toBeGreaterThan(0);
			expect(CATEGORIES).toEqual(expect.arrayContaining(categories));
		}
	});

	it.each([
		'video folder',
		'video gallery',
		'move video',
		'rename video',
		'upload file',
		'schedule event',
		'video added',
	])('by what users search for: %s', (words) => {
		expect([...codex.alias, ...triggerCodex.alias]).toContain(words);
	});
});

describe("As an AI agent's tool", () => {
	it.each(OPERATIONS)('$resource $operation describes itself to the model', ({ resource, operation }) => {
		const node: INode = {
			id: '1',
			name: 'Video Hosting',
			type: 'n8n-nodes-video-hosting.videoHostingTool',
			typeVersion: 1,
			position: [0, 0],
			parameters: { resource, operation, descriptionType: 'auto' },
		};
		expect(description.usableAsTool).toBe(true);
		const text = NodeHelpers.getToolDescriptionForNode(node, new VideoHosting());
		expect(text).toMatch(/^[A-Z][a-z]+ [a-z ]+ in Video Hosting$/);
		expect(text).toMatch(/event|folder|upload|video|disk usage/);
	});
});
