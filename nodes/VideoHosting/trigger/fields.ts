import type { INodeProperties } from 'n8n-workflow';

/** What the trigger can watch, by the value of the parameter `triggerOn`. */
export type TriggerOn = 'eventStatusChanged' | 'eventCreated' | 'videoAdded';

/** The statuses of the reference (Resources, Event). */
const statusOptions = [
	{ name: 'Live', value: 'LIVE', description: 'The event is on air' },
	{ name: 'On Demand', value: 'ON_DEMAND', description: 'The event is over or was never live' },
	{ name: 'Waiting Live', value: 'WAITING_LIVE', description: 'The event waits to go live' },
];

export const triggerFields: INodeProperties[] = [
	{
		displayName: 'Trigger On',
		name: 'triggerOn',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Event Created',
				value: 'eventCreated',
				description: 'When a live event appears that was not there before',
			},
			{
				name: 'Event Status Changed',
				value: 'eventStatusChanged',
				description: 'When a live event goes live, ends, or changes its status in another way',
			},
			{
				name: 'Video Added',
				value: 'videoAdded',
				description: 'When a video appears, whoever uploaded it',
			},
		],
		default: 'eventStatusChanged',
	},
	{
		displayName: 'Plan ID',
		name: 'planId',
		type: 'string',
		default: '',
		placeholder: 'e.g. 4711',
		description: 'Plan to watch. Leave it empty to use the Default Plan ID of the credential.',
	},
	{
		displayName: 'From Status',
		name: 'fromStatus',
		type: 'multiOptions',
		displayOptions: { show: { triggerOn: ['eventStatusChanged'] } },
		options: statusOptions,
		default: [],
		description: 'Statuses that the event must have had before. Leave it empty for any.',
	},
	{
		displayName: 'To Status',
		name: 'toStatus',
		type: 'multiOptions',
		displayOptions: { show: { triggerOn: ['eventStatusChanged'] } },
		options: statusOptions,
		default: [],
		description: 'Statuses that the event must have now. Leave it empty for any.',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		displayOptions: { show: { triggerOn: ['eventStatusChanged', 'eventCreated'] } },
		default: {},
		options: [
			{
				displayName: 'Events',
				name: 'events',
				type: 'string',
				displayOptions: { show: { '/triggerOn': ['eventStatusChanged'] } },
				default: '',
				placeholder: 'e.g. 5f1d7a84b9, 0c42e7d1aa',
				description:
					'Hashes of the events to watch, separated by commas. No other event is then asked for. Leave it empty to watch all.',
			},
			{
				displayName: 'Scheduled Within Days',
				name: 'scheduledWithinDays',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 7,
				description:
					'Watch only events scheduled at most this many days before or after now. A poll then reads this part of the list alone, however many events the plan has. An event counts as created when it first comes within this range.',
			},
		],
	},
];
