import {
	NodeHelpers,
	type IDataObject,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';

import { VideoHosting } from '../../nodes/VideoHosting/VideoHosting.node';
import { VideoHostingTrigger } from '../../nodes/VideoHosting/VideoHostingTrigger.node';
import { KINDS } from '../../nodes/VideoHosting/trigger/kinds';
import { executeNode } from '../execution/executeNode';
import { fc } from '../execution/generated';
import { activeTrigger, fetchTestEvent } from '../execution/pollNode';
import { startService, type RunningService } from '../fakeService';
import { validItem, validParameters } from '../actions/operationCases';
import { oddValues } from './oddValues';

const RUNS = 15;

let service: RunningService;

beforeAll(async () => {
	service = await startService();
});
afterAll(async () => {
	await service.close();
});
beforeEach(() => {
	service.requests.length = 0;
});

interface Place {
	/** Where the value goes: `planId`, or `options.secret`. */
	path: string;
	property: INodeProperties;
	parameters: INodeParameters;
}

const isField = (option: object): option is INodeProperties => 'type' in option;
const isChoice = (option: object): option is INodePropertyOptions => 'value' in option;

/** Every parameter that the panel shows for these parameters, and every field of a collection. */
function places(node: VideoHosting | VideoHostingTrigger, parameters: INodeParameters): Place[] {
	const { properties } = node.description;
	const complete = NodeHelpers.getNodeParameters(properties, parameters, true, false, null, node.description);
	const found = properties.filter(
		(property) =>
			// Lists without expressions: the editor offers nothing else.
			property.noDataExpression !== true &&
			NodeHelpers.displayParameter(complete ?? {}, property, null, node.description),
	);
	// A collection as a whole is always an object: n8n replaces any other value (n8n-workflow 2.41.0, getNodeParameters).
	return found.flatMap((property) =>
		property.type === 'collection'
			? (property.options ?? [])
					.filter(isField)
					.map((field) => ({ path: `${property.name}.${field.name}`, property: field, parameters }))
			: [{ path: property.name, property, parameters }],
	);
}

/** The parameters with a value at a place; that of a picker is the value of its second mode, which is typed in. */
function withValue({ path, property, parameters }: Place, value: unknown): INodeParameters {
	const [name = '', field] = path.split('.');
	const typed = property.modes?.at(-1)?.name;
	// The type of n8n's own stored parameters allows less than an expression returns.
	const placed = (typed === undefined ? value : { __rl: true, mode: typed, value }) as INodeParameters;
	if (field === undefined) return { ...parameters, [name]: placed };
	return { ...parameters, [name]: { ...(parameters[name] as INodeParameters | undefined), [field]: placed } };
}

/** The same place; its value takes the place of the whole picker. */
const whole = (place: Place): Place => ({ ...place, property: { ...place.property, modes: undefined } });

const node = new VideoHosting();
const operations = node.description.properties
	.filter(({ name }) => name === 'operation')
	.flatMap(({ displayOptions, options = [] }) =>
		(displayOptions?.show?.resource ?? [])
			.filter((resource) => typeof resource === 'string')
			.flatMap((resource) =>
				options.filter(isChoice).map(({ value }) => ({ resource, operation: String(value) })),
			),
	);
const everyPlace = operations.flatMap(({ resource, operation }) =>
	validParameters(resource, operation)
		.flatMap((parameters) => places(node, parameters))
		.map((place) => ({ name: `${resource} ${operation} ${place.path}`, resource, operation, ...place })),
);

/** Lists of choices in which an expression may return another value, which is sent as it is. */
const OPEN_CHOICES = ['options.orderBy', 'options.orderType', 'options.sort'];

/** Where a list is documented: of numbers, or of names. */
const acceptsList = (resource: string, operation: string, path: string) =>
	(resource === 'event' && operation === 'delete' && path === 'event') || path === 'binaryPropertyName';

describe('The action node rejects by name and before any request, for each item', () => {
	it.each(everyPlace)('an odd value of $name', async (place) => {
		const { resource, operation, path, property } = place;
		const { binary } = await validItem();
		const accepted = OPEN_CHOICES.includes(path) ? { ...property, type: 'string' as const } : property;
		await fc.assert(
			fc.asyncProperty(
				oddValues(accepted, acceptsList(resource, operation, path)),
				fc.constantFrom(place, whole(place)),
				async (odd, filled) => {
					const item = { json: { odd: odd as string }, binary };
					const run = { service, parameters: withValue(filled, '={{ $json.odd }}'), items: [item, item] };
					const { items } = await executeNode({ ...run, onError: 'continueRegularOutput' });
					const failed = { ...item, json: { ...item.json, error: expect.anything() as unknown } };
					expect(items).toEqual([0, 1].map((index) => ({ ...failed, pairedItem: { item: index } })));
					for (const { json } of items) expect(errorMessage(json)).toMatch(startsWith(property.displayName));
					expect(service.requests).toEqual([]);
				},
			),
			{ numRuns: RUNS },
		);
	});

	it.each(everyPlace.filter(({ property }) => property.required === true))(
		'an empty $name',
		async (place) => {
			const item = await validItem();
			for (const empty of ['', ' ']) {
				const run = { service, parameters: withValue(place, empty), items: [item] };
				const { items } = await executeNode({ ...run, onError: 'continueRegularOutput' });
				expect(errorMessage(items[0]?.json ?? {})).toMatch(
					new RegExp(`${startsWith(place.property.displayName).source}is empty`),
				);
			}
			expect(service.requests).toEqual([]);
		},
	);
});

/** What is only stored: nothing selects or narrows nothing. */
const CONTENT = [
	'folder create options.description',
	'folder update updateFields.description',
	'folder update updateFields.name',
	'upload create fileName',
	'upload resume fileName',
	'upload resume options.title',
	'upload upload fileName',
	'upload upload options.title',
];
/** Expressions that resolve to nothing; the last one is what is left of a text with an expression in it. */
const NOTHING = ['={{ undefined }}', '={{ null }}', '={{ $json.missing }}', '={{ $json.missing }} '];

describe('An expression that resolves to nothing is an error that names the parameter, for each item', () => {
	const expectNothing = async (
		label: string,
		parameters: INodeParameters,
		words = 'resolves to nothing. Check the expression.',
	) => {
		const item = await validItem();
		const run = { service, parameters, items: [item, item] };
		const { items } = await executeNode({ ...run, onError: 'continueRegularOutput' });
		const messages = items.map(({ json }) => errorMessage(json));
		const message = `${label} ${words}`;
		expect(messages).toEqual([message, message]);
		expect(service.requests).toEqual([]);
	};

	it.each(everyPlace.filter(({ name }) => !CONTENT.includes(name)))('$name', async (place) => {
		for (const nothing of NOTHING) {
			await expectNothing(place.property.displayName, withValue(place, nothing));
			// The whole locator as an expression, and a picked record whose value is one.
			if (place.property.modes === undefined) continue;
			await expectNothing(place.property.displayName, withValue(whole(place), nothing));
			const picked = { __rl: true, mode: 'list', value: nothing };
			await expectNothing(place.property.displayName, withValue(whole(place), picked));
		}
	});

	it.each(everyPlace.filter(({ path }) => path.startsWith('filters.')))(
		'$name, also when it was added and is empty: all records would match',
		async (place) => {
			const words = 'is empty. Enter one, or remove the filter.';
			for (const empty of ['', ' ', '={{ "" }}', '={{ [] }}']) {
				await expectNothing(place.property.displayName, withValue(place, empty), words);
				await expectNothing(place.property.displayName, withValue(whole(place), empty), words);
			}
		},
	);

	it('what is only stored may be nothing', async () => {
		const stored = everyPlace.filter(({ name }) => CONTENT.includes(name));
		// The address of a file in these parameters leads nowhere.
		for (const place of stored.filter(({ parameters }) => parameters.source !== 'url')) {
			const run = { service, parameters: withValue(place, '={{ undefined }}'), items: [await validItem()] };
			const { items } = await executeNode({ ...run, onError: 'continueRegularOutput' });
			for (const { json } of items) expect(JSON.stringify(json)).not.toContain('resolves to nothing');
		}
	});

	it('a field that is empty, or not there, is empty', async () => {
		for (const options of [{ planId: '' }, {}, { planId: '={{ "" }}' }]) {
			service.requests.length = 0;
			await executeNode({ service, parameters: { resource: 'event', operation: 'getAll', options } });
			expect(service.requestsOf('eventSearchAll')[0]?.query.planId).toBe('plan-1001');
		}
	});
});

describe('The trigger rejects by name and before any request', () => {
	const trigger = new VideoHostingTrigger();
	const triggerPlaces = Object.keys(KINDS).flatMap((triggerOn) =>
		places(trigger, { triggerOn }).map((place) => ({
			name: `${triggerOn} ${place.path}`,
			triggerOn,
			...place,
		})),
	);

	const shownPlaces = triggerPlaces.filter(({ property, triggerOn }) => {
		const hidden = property.displayOptions?.show?.['/triggerOn'];
		return !hidden || hidden.includes(triggerOn);
	});

	it.each(shownPlaces)('an expression that resolves to nothing: $name', async (place) => {
		for (const nothing of NOTHING.slice(0, 2)) {
			const active = await activeTrigger({ service, parameters: withValue(place, nothing) });
			await expect(active.poll()).rejects.toThrow(`${place.property.displayName} resolves to nothing`);
			expect(service.requests).toEqual([]);
		}
	});

	it.each(shownPlaces)('an odd value of $name', async (place) => {
		const { path, property } = place;
		await fc.assert(
			fc.asyncProperty(oddValues(property, path === 'options.events'), async (odd) => {
				const parameters = withValue(place, odd);
				const message = startsWith(property.displayName);
				const active = await activeTrigger({ service, parameters });
				await expect(active.poll()).rejects.toThrow(message);
				await expect(fetchTestEvent({ service, parameters })).rejects.toThrow(message);
				expect(service.requests).toEqual([]);
			}),
			{ numRuns: RUNS },
		);
	});
});

/** The message of an error item, which that of an upload has next to its details. */
function errorMessage({ error }: IDataObject): unknown {
	if (typeof error !== 'object' || error === null || !('message' in error)) return error;
	const { description, message } = error as { description?: string; message: string };
	return [message, ...(description ? [description] : [])].join('. ');
}

/** A message that starts with a display name, which may contain parentheses. */
function startsWith(displayName: string): RegExp {
	return new RegExp(`^${displayName.replace(/[()]/g, '\\$&')} `);
}
