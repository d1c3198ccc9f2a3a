import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { TIME_ZONES, toTimeZone, WORKFLOW_TIME_ZONE } from '../parameters/dates';
import { toFolderReference, toHashes } from '../parameters/references';
import { folderField } from '../parameters/locators';
import { parameter, propertiesOf, text } from '../parameters/parameter';
import { isEmpty, toChoice, toNumber } from '../parameters/values';
import { eventStatusOptions, toStatuses } from '../service/eventStatuses';

/** Ten thousand years: a date that far away is still one that JavaScript can compute with. */
const LONGEST_DAYS = 3_650_000;
const LONGEST_MINUTES = LONGEST_DAYS * 24 * 60;

const triggerOnOptions = [
	{
		name: 'Event Created',
		value: 'eventCreated',
		description: 'When a live event appears in the plan for the first time',
	},
	{
		name: 'Event Deleted',
		value: 'eventDeleted',
		description: 'When a live event is no longer in the plan. Two polls in a row must miss it.',
	},
	{
		name: 'Event Starts Soon',
		value: 'eventStartsSoon',
		description: 'When a live event starts within the next minutes, once for each event and date',
	},
	{
		name: 'Event Status Changed',
		value: 'eventStatusChanged',
		description: 'When a live event goes live, ends, or changes its status in another way',
	},
	{
		name: 'Event Updated',
		value: 'eventUpdated',
		description: 'When the title or the date of a live event changes',
	},
	{
		name: 'Video Added',
		value: 'videoAdded',
		description:
			'When a video is added to the plan, whoever uploads it. Later changes of the video are not reported.',
	},
] as const satisfies INodePropertyOptions[];

/** What the trigger can watch: the values of the parameter `triggerOn`. */
export const TRIGGER_ON = triggerOnOptions.map(({ value }) => value);
export type TriggerOn = (typeof TRIGGER_ON)[number];

/** How the panel and the node's subtitle name a value of Trigger On. */
export const TRIGGER_ON_NAMES = Object.fromEntries(triggerOnOptions.map(({ name, value }) => [value, name]));

const EVENT_TRIGGERS = TRIGGER_ON.filter((value) => value !== 'videoAdded');

/** Of a parameter that only these values of Trigger On have. */
const shownFor = (...triggerOn: TriggerOn[]) => ({ displayOptions: { show: { triggerOn } } });

/** Of a field in Options that only these values of Trigger On have. */
const optionFor = (...triggerOn: TriggerOn[]) => ({
	collection: 'options' as const,
	displayOptions: { show: { '/triggerOn': triggerOn } },
});

export const triggerOnField = parameter(toTriggerOn, {
	displayName: 'Trigger On',
	name: 'triggerOn',
	type: 'options',
	noDataExpression: true,
	options: [...triggerOnOptions],
	default: 'eventStatusChanged',
});

export const fromStatusField = parameter(toStatuses, {
	displayName: 'From Status',
	name: 'fromStatus',
	...shownFor('eventStatusChanged'),
	type: 'multiOptions',
	options: eventStatusOptions,
	default: [],
	description:
		'Statuses before the change. Leave it empty for any. A new event counts as Waiting to Go Live.',
});

export const toStatusField = parameter(toStatuses, {
	displayName: 'To Status',
	name: 'toStatus',
	...shownFor('eventStatusChanged'),
	type: 'multiOptions',
	options: eventStatusOptions,
	default: [],
	description: 'Statuses after the change. Leave it empty for any.',
});

export const minutesBeforeField = parameter(toNumber({ min: 1, max: LONGEST_MINUTES, fractions: true }), {
	displayName: 'Minutes Before',
	name: 'minutesBefore',
	...shownFor('eventStartsSoon'),
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 30,
	description: 'How many minutes before its start an event is reported, at the first poll within this time',
});

export const eventsOption = parameter(toSortedHashes, {
	displayName: 'Event Names or IDs',
	name: 'events',
	...optionFor(...EVENT_TRIGGERS.filter((value) => value !== 'eventCreated')),
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getEvents', loadOptionsDependsOn: ['options.planId'] },
	// An expression may return one text with commas: the panel must not mark it as an error.
	allowArbitraryValues: true,
	default: [],
	description:
		'Events to watch. Leave it empty to watch all. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
});

export const folderOption = parameter(toFolderReference, {
	...folderField,
	...optionFor('videoAdded'),
	required: undefined,
	description: 'Watch only videos in this folder. Leave it empty to watch all.',
});

export const planIdOption = text({
	displayName: 'Plan ID',
	name: 'planId',
	collection: 'options',
	placeholder: 'e.g. plan-1001',
	description: 'Plan to watch instead of the Plan ID of the credential',
});

export const withinDaysOption = parameter(toDays, {
	displayName: 'Scheduled Within Days',
	name: 'scheduledWithinDays',
	...optionFor(...EVENT_TRIGGERS.filter((value) => value !== 'eventStartsSoon')),
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 7,
	description:
		'Watch only events at most this many days before or after now. An event that enters this range counts as created.',
});

export const timeZoneOption = parameter(toTimeZone, {
	displayName: 'Time Zone',
	name: 'timezone',
	...optionFor('eventStartsSoon'),
	type: 'options',
	options: TIME_ZONES,
	default: WORKFLOW_TIME_ZONE,
	description: 'Time zone of the dates of the events. The service does not return one.',
});

export const triggerFields: INodeProperties[] = propertiesOf([
	...[triggerOnField, fromStatusField, toStatusField, minutesBeforeField],
	...[eventsOption, folderOption, planIdOption, withinDaysOption, timeZoneOption],
]);

function toTriggerOn(label: string, value: unknown): TriggerOn {
	return toChoice(label, value, TRIGGER_ON);
}

function toSortedHashes(label: string, value: unknown): string[] {
	return [...new Set(toHashes(label, value))].sort();
}

/** Undefined when the option was not added. */
function toDays(label: string, value: unknown): number | undefined {
	if (isEmpty(value)) return undefined;
	return toNumber({ min: 1, max: LONGEST_DAYS, fractions: true })(label, value);
}
