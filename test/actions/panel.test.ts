import {
	NodeHelpers,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';

import { VideoHosting } from '../../nodes/VideoHosting/VideoHosting.node';
import { VideoHostingTrigger } from '../../nodes/VideoHosting/VideoHostingTrigger.node';
import packageJson from '../../package.json';
import codex from '../../nodes/VideoHosting/VideoHosting.node.json';
import triggerCodex from '../../nodes/VideoHosting/VideoHostingTrigger.node.json';
import { nodeOf } from '../execution/workflowOfOneNode';

const { properties } = new VideoHosting().description;

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

it('The panel offers the resources, operations and parameters under their stable names', () => {
	const offered = choices(properties.find(({ name }) => name === 'resource')).map(({ value: resource }) => {
		const list = properties.find((property) => property.name === 'operation' && shownFor(property, resource));
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

it('The panel of the tool says that it gets no files where the source is binary data, which is the default', () => {
	const notices = (name: string, parameters: INodeParameters) => {
		const description = { ...new VideoHosting().description, name };
		const node = nodeOf(name, parameters);
		const values = NodeHelpers.getNodeParameters(properties, parameters, true, false, node, description);
		return properties
			.filter(({ type }) => type === 'notice')
			.filter((notice) => NodeHelpers.displayParameter(values ?? {}, notice, node, description));
	};
	expect(notices('videoHostingTool', {})).toHaveLength(1);
	expect(notices('videoHostingTool', { resource: 'video', operation: 'setThumbnail' })).toHaveLength(1);
	expect(notices('videoHostingTool', { source: 'url' })).toEqual([]);
	expect(notices('videoHostingTool', { operation: 'create' })).toEqual([]);
	expect(notices('videoHosting', {})).toEqual([]);
});

it('The panel offers the modes of each record, From List first', () => {
	for (const { resource, operation } of OPERATIONS) {
		const locators = parametersOf(resource, operation).filter(({ type }) => type === 'resourceLocator');
		for (const { default: initial, modes, name } of locators) {
			const expected = MODES[`${name}.${operation}`] ?? MODES[name];
			expect([resource, operation, modes?.map((mode) => mode.name)]).toEqual([resource, operation, expected]);
			expect(initial).toEqual({ mode: 'list', value: '' });
		}
	}
});

// While they are not added, they are off: test/service/creations.test.ts and test/upload/operations.test.ts.
it('Skip If Exists and Create Folder If Missing are on when they are added', () => {
	const options = properties.filter(({ name }) => name === 'options').flatMap(fieldsOf);
	const added = options.filter(({ name }) => ['skipIfExists', 'createFolder'].includes(name));
	expect(added.map(({ default: initial }) => initial)).toEqual(Array(5).fill(true));
});

// scripts/lintPanel.mjs checks the texts with n8n's own rules.
it('No parameter has fields that n8n does not know', () => {
	const written = JSON.stringify([properties, new VideoHostingTrigger().description.properties]);
	expect(written).not.toMatch(/"(collection|convert|isContent)":/);
});

it('The nodes are found by the name of the package, as community nodes are identified', () => {
	for (const { node } of [codex, triggerCodex]) expect(node).toBe(packageJson.name);
});
