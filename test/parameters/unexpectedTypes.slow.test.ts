import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { VideoHosting } from '../../nodes/VideoHosting/VideoHosting.node';
import { VideoHostingTrigger } from '../../nodes/VideoHosting/VideoHostingTrigger.node';
import { KINDS } from '../../nodes/VideoHosting/trigger/kinds';
import { CASES, validItem, validParameters } from '../actions/operationCases';
import { executeNode } from '../execution/executeNode';
import { fc } from '../execution/generated';
import { activeTrigger, fetchTestEvent } from '../execution/pollNode';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { oddValues } from './oddValues';
import { places, type Place } from './places';

const RUNS = { numRuns: 15 };

serviceForEachTest();

let file: INodeExecutionData;
beforeAll(async () => {
	file = await validItem();
});

/** The parameters with a value at a place: as it is, and of a picker also typed in its last mode, and picked from its list. */
function withValue({ path, property, parameters }: Place, value: unknown): INodeParameters[] {
	const [name = '', field] = path.split('.');
	const modes = property.modes === undefined ? [] : [property.modes.at(-1)?.name, 'list'];
	return [value, ...modes.map((mode) => ({ __rl: true, mode, value }))].map((given) => {
		// The type of n8n's own stored parameters allows less than an expression returns.
		const placed = given as INodeParameters;
		if (field === undefined) return { ...parameters, [name]: placed };
		return {
			...parameters,
			[name]: { ...(parameters[name] as INodeParameters | undefined), [field]: placed },
		};
	});
}

const everyPlace = Object.keys(CASES).flatMap((operation) =>
	validParameters(operation)
		.flatMap((parameters) => places(new VideoHosting(), parameters))
		.map((place) => ({ name: `${operation} ${place.path}`, ...place })),
);
const filters = everyPlace.filter(({ path }) => path.startsWith('filters.'));

/** Lists of choices in which an expression may return another value, which is sent as it is. */
const OPEN_CHOICES = ['options.orderBy', 'options.orderType', 'options.sort'];

/** A message that starts with the display name of the parameter, which may contain parentheses. */
const message = ({ property }: Place, words: string) =>
	new RegExp(`^${property.displayName.replace(/[()]/g, '\\$&')} ${words}`);

/** Runs two items, of which each is an error with this message; nothing is sent. */
async function expectErrors(parameters: INodeParameters, expected: RegExp, odd?: unknown): Promise<void> {
	const item = { ...file, json: { odd: odd as string } };
	const run = { service, parameters, items: [item, item] };
	const { items } = await executeNode({ ...run, onError: 'continueRegularOutput' });
	const failed = { ...item, json: { ...item.json, error: expect.anything() } };
	expect(items).toEqual([0, 1].map((index) => ({ ...failed, pairedItem: { item: index } })));
	for (const { json } of items) expect(errorMessage(json.error)).toMatch(expected);
	expect(service.requests).toEqual([]);
}

/** The message of an error item, which that of an upload has next to its details. */
function errorMessage(error: unknown): string {
	if (typeof error === 'string') return error;
	const { description, message: happened } = error as { description?: string; message: string };
	return description ? `${happened}. ${description}` : happened;
}

describe('The action node rejects by name and before any request, for each item', () => {
	it.each(everyPlace)('an odd value of $name', async (place) => {
		const { name, path, property } = place;
		const accepted = OPEN_CHOICES.includes(path) ? { ...property, type: 'string' as const } : property;
		// Where a list is documented: of numbers, or of names.
		const acceptsList = name === 'event/delete event' || path === 'binaryPropertyName';
		const filled = fc.constantFrom(...withValue(place, '={{ $json.odd }}'));
		const rejected = async (odd: unknown, parameters: INodeParameters) => {
			// `$binary` of an item without files is no error of its own.
			fc.pre(path !== 'binaryPropertyName' || JSON.stringify(odd) !== '{}');
			await expectErrors(parameters, message(place, ''), odd);
		};
		await fc.assert(fc.asyncProperty(oddValues(accepted, acceptsList), filled, rejected), RUNS);
	});

	it.each(everyPlace.filter(({ property }) => property.required === true))('empty $name', async (place) => {
		for (const parameters of ['', ' '].flatMap((empty) => withValue(place, empty)))
			await expectErrors(parameters, message(place, 'is empty'));
	});

	it.each(filters)('an empty $name that was added: all records would match', async (place) => {
		const expected = message(place, 'is empty\\. Enter one, or remove the filter\\.$');
		for (const empty of ['', ' ', '={{ "" }}', '={{ [] }}'])
			for (const parameters of withValue(place, empty)) await expectErrors(parameters, expected);
	});
});

/** What is only stored: nothing selects or narrows nothing. */
const CONTENT = [
	'fileName',
	'upload/upload title',
	'upload/resume title',
	'options.description',
	'updateFields.description',
	'updateFields.name',
];
const isContent = ({ name, path }: { name: string; path: string }) =>
	CONTENT.includes(path) || CONTENT.includes(name);
/** Expressions that resolve to nothing; the last one is what is left of a text with an expression in it. */
const NOTHING = ['={{ undefined }}', '={{ null }}', '={{ $json.missing }}', '={{ $json.missing }} '];

describe('An expression that resolves to nothing', () => {
	it.each(everyPlace.filter((place) => !isContent(place)))('is an error: $name', async (place) => {
		const expected = message(place, 'resolves to nothing\\. Check the expression\\.');
		for (const parameters of NOTHING.flatMap((nothing) => withValue(place, nothing)))
			await expectErrors(parameters, expected);
	});

	it('is nothing where a text is only stored', async () => {
		const stored = everyPlace.filter(isContent);
		// The address of a file in these parameters leads nowhere.
		for (const place of stored.filter(({ parameters }) => parameters.source !== 'url')) {
			const [parameters = {}] = withValue(place, '={{ undefined }}');
			const run = { service, parameters, items: [file] };
			const { items } = await executeNode({ ...run, onError: 'continueRegularOutput' });
			for (const { json } of items) expect(JSON.stringify(json)).not.toContain('resolves to nothing');
		}
	});

	it('is not a field that is empty, or not there', async () => {
		for (const options of [{ planId: '' }, {}, { planId: '={{ "" }}' }]) {
			await executeNode({ service, parameters: { resource: 'event', operation: 'getAll', options } });
			expect(service.requestsOf('eventSearchAll').at(-1)?.query.planId).toBe('plan-1001');
		}
	});
});

describe('The trigger rejects by name and before any request', () => {
	const trigger = new VideoHostingTrigger();
	const shownPlaces = Object.keys(KINDS).flatMap((triggerOn) =>
		places(trigger, { triggerOn }).map((place) => ({ name: `${triggerOn} ${place.path}`, ...place })),
	);
	const expectError = async (parameters: INodeParameters, expected: RegExp) => {
		const active = await activeTrigger({ service, parameters });
		await expect(active.poll()).rejects.toThrow(expected);
		await expect(fetchTestEvent({ service, parameters })).rejects.toThrow(expected);
		expect(service.requests).toEqual([]);
	};

	it.each(shownPlaces)('an expression that resolves to nothing: $name', async (place) => {
		for (const parameters of NOTHING.slice(0, 2).flatMap((nothing) => withValue(place, nothing)))
			await expectError(parameters, message(place, 'resolves to nothing'));
	});

	it.each(shownPlaces)('an odd value of $name', async (place) => {
		const rejected = async (odd: unknown) => {
			for (const parameters of withValue(place, odd)) await expectError(parameters, message(place, ''));
		};
		const odd = oddValues(place.property, place.path === 'options.events');
		await fc.assert(fc.asyncProperty(odd, rejected), RUNS);
	});
});
