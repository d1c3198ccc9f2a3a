import type { INodeProperties } from 'n8n-workflow';

import { eventStatusOptions } from '../service/eventStatuses';

/** What the trigger can watch, by the value of the parameter `triggerOn`. */
export type TriggerOn = 'eventStatusChanged' | 'eventCreated' | 'videoAdded';

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
				description: 'When a live event appears in the plan for the first time',
			},
			{
				name: 'Event Status Changed',
				value: 'eventStatusChanged',
				description: 'When a live event goes live, ends, or changes its status in another way',
			},
			{
				name: 'Video Added',
				value: 'videoAdded',
				description:
					'When a video appears in the plan, whoever uploaded it. A video imported with an old date is reported only if it is dated within 48 hours of the newest video, or is among the 100 newest.',
			},
		],
		default: 'eventStatusChanged',
	},
	{
		displayName: 'Plan ID',
		name: 'planId',
		type: 'string',
		default: '',
		placeholder: 'Default plan of the credential',
		description: 'Plan to watch. Leave it empty to use the Default Plan ID of the credential.',
	},
	{
		displayName: 'From Status',
		name: 'fromStatus',
		type: 'multiOptions',
		displayOptions: { show: { triggerOn: ['eventStatusChanged'] } },
		options: eventStatusOptions,
		default: [],
		description: 'Statuses that the event must have had before. Leave it empty for any.',
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
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		displayOptions: { show: { triggerOn: ['eventStatusChanged', 'eventCreated'] } },
		default: {},
		options: [
			{
				displayName: 'Event Names or IDs',
				name: 'events',
				type: 'multiOptions',
				typeOptions: { loadOptionsMethod: 'getEvents', loadOptionsDependsOn: ['planId'] },
				// Version 0.1.0 stored a text with the hashes: the panel must not mark it as an error.
				allowArbitraryValues: true,
				displayOptions: { show: { '/triggerOn': ['eventStatusChanged'] } },
				default: [],
				description:
					'Events to watch. Leave it empty to watch all. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
			},
			{
				displayName: 'Scheduled Within Days',
				name: 'scheduledWithinDays',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 7,
				description:
					'Watch only events scheduled at most this many days before or after now. A poll then reads only this part of the list. An event counts as created when it first comes within this range.',
			},
		],
	},
];
