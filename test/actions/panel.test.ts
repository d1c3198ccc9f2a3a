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
});

// scripts/lintPanel.mjs checks the texts with n8n's own rules.
describe('The panel reads like those of n8n', () => {
	it('the field of a date names the option that changes its time zone as that option is labelled', () => {
		const named = properties.find(({ name }) => name === 'dateScheduled');
		const option = properties.flatMap(fieldsOf).find(({ name }) => name === 'timezone');
		expect(named?.hint).toContain(`the option ${option?.displayName} `);
	});

	it('no parameter has fields that n8n does not know', () => {
		const written = JSON.stringify([properties, new VideoHostingTrigger().description.properties]);
		expect(written).not.toMatch(/"(collection|convert|isContent)":/);
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
});

describe('The panel finds the node', () => {
	it('by the name of the package, as community nodes are identified', () => {
		for (const { node } of [codex, triggerCodex]) expect(node).toBe(packageJson.name);
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
