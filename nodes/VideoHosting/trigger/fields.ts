import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { folderField } from '../parameters/locators';
import { TIME_ZONES, WORKFLOW_TIME_ZONE } from '../parameters/timeZones';
import { eventStatusOptions } from '../service/eventStatuses';

/** What the trigger can watch: the values of the parameter `triggerOn`. */
export const TRIGGER_ON = [
	'eventCreated',
	'eventDeleted',
	'eventStartsSoon',
	'eventStatusChanged',
	'eventUpdated',
	'videoAdded',
] as const;
export type TriggerOn = (typeof TRIGGER_ON)[number];

const triggerOnOptions: Array<INodePropertyOptions & { value: TriggerOn }> = [
	{
		name: 'Event Created',
		value: 'eventCreated',
		description: 'When a live event appears in the plan for the first time',
	},
	{
		name: 'Event Deleted',
		value: 'eventDeleted',
		description: 'When a live event is no longer in the plan, in two polls in a row',
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
			'When a video appears in the plan, whoever uploaded it. A video imported with an old date is reported only if it is dated within 48 hours of the newest video, or is among the 100 newest.',
	},
];

/** How the panel and the node's subtitle name a value of Trigger On. */
export const TRIGGER_ON_NAMES = Object.fromEntries(triggerOnOptions.map(({ name, value }) => [value, name]));

const EVENT_TRIGGERS = TRIGGER_ON.filter((value) => value !== 'videoAdded');

/** The options, and for which values of Trigger On the panel shows them; in alphabetical order. */
const options: Array<{ on: readonly TriggerOn[]; field: INodeProperties }> = [
	{
		on: EVENT_TRIGGERS.filter((value) => value !== 'eventCreated'),
		field: {
			displayName: 'Event Names or IDs',
			name: 'events',
			type: 'multiOptions',
			typeOptions: { loadOptionsMethod: 'getEvents', loadOptionsDependsOn: ['options.planId'] },
			// An expression may return one text with commas: the panel must not mark it as an error.
			allowArbitraryValues: true,
			default: [],
			description:
				'Events to watch. Leave it empty to watch all. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		},
	},
	{
		on: ['videoAdded'],
		field: {
			...folderField,
			required: false,
			description: 'Watch only videos in this folder. Leave it empty to watch all.',
		},
	},
	{
		on: TRIGGER_ON,
		field: {
			displayName: 'Plan ID',
			name: 'planId',
			type: 'string',
			default: '',
			placeholder: 'Plan of the credential',
			description: 'Plan to watch instead of the Plan ID of the credential',
		},
	},
	{
		on: EVENT_TRIGGERS.filter((value) => value !== 'eventStartsSoon'),
		field: {
			displayName: 'Scheduled Within Days',
			name: 'scheduledWithinDays',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 7,
			description:
				'Watch only events scheduled at most this many days before or after now. A poll then reads only this part of the list. An event counts as created when it first comes within this range.',
		},
	},
	{
		on: ['eventStartsSoon'],
		field: {
			displayName: 'Time Zone',
			name: 'timezone',
			type: 'options',
			options: TIME_ZONES,
			default: WORKFLOW_TIME_ZONE,
			description: 'Time zone of the dates of the events. The service does not return one.',
		},
	},
];

/** Names of the options of each value of Trigger On. */
export const OPTIONS_OF: Record<TriggerOn, string[]> = {
	eventCreated: optionsOf('eventCreated'),
	eventDeleted: optionsOf('eventDeleted'),
	eventStartsSoon: optionsOf('eventStartsSoon'),
	eventStatusChanged: optionsOf('eventStatusChanged'),
	eventUpdated: optionsOf('eventUpdated'),
	videoAdded: optionsOf('videoAdded'),
};

function optionsOf(triggerOn: TriggerOn): string[] {
	return options.filter(({ on }) => on.includes(triggerOn)).map(({ field }) => field.name);
}

export const triggerFields: INodeProperties[] = [
	{
		displayName: 'Trigger On',
		name: 'triggerOn',
		type: 'options',
		noDataExpression: true,
		options: triggerOnOptions,
		default: 'eventStatusChanged',
	},
	{
		displayName: 'From Status',
		name: 'fromStatus',
		type: 'multiOptions',
		displayOptions: { show: { triggerOn: ['eventStatusChanged'] } },
		options: eventStatusOptions,
		default: [],
		description:
			'Statuses that the event must have had before. Leave it empty for any. An event that was created and went live since the last poll counts as Waiting to Go Live.',
	},
	{
		displayName: 'To Status',
		name: 'toStatus',
		type: 'multiOptions',
		displayOptions: { show: { triggerOn: ['eventStatusChanged'] } },
		options: eventStatusOptions,
		default: [],
		description: 'Statuses that the event must have now. Leave it empty for any.',
	},
	{
		displayName: 'Minutes Before',
		name: 'minutesBefore',
		type: 'number',
		typeOptions: { minValue: 1 },
		displayOptions: { show: { triggerOn: ['eventStartsSoon'] } },
		default: 30,
		description:
			'How many minutes before its start an event is reported. The poll times decide how exactly: with a poll each minute, up to one minute later.',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: options.map(({ on, field }) => ({
			...field,
			...(on.length < TRIGGER_ON.length ? { displayOptions: { show: { '/triggerOn': [...on] } } } : {}),
		})),
	},
];
