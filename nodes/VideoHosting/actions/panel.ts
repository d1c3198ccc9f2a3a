import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { propertiesOf } from '../parameters/parameter';
import { diskUsage } from './diskUsage';
import { event } from './event';
import { folder } from './folder';
import type { Resource } from './operation';
import { upload } from './upload';
import { video } from './video';

/** All resources in the order of the list. The key is the value that workflows store; it never changes. */
export const RESOURCES: Record<string, Resource> = { diskUsage, event, folder, upload, video };

const resources = Object.entries(RESOURCES);

/** The panel of the node: the Resource list, an Operation list for each resource, and every operation's parameters. */
export const resourceProperties: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(([value, { name, description }]) => ({ name, value, description })),
		default: 'upload',
	},
	...resources.map(([resource, { operations, defaultOperation }]): INodeProperties => ({
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: Object.entries(operations).map(([value, { name, description, action }]) => {
			return { name, value, description, action };
		}),
		default: defaultOperation,
	})),
	...resources.flatMap(([resource, { operations }]) =>
		Object.entries(operations).flatMap(([operation, { parameters }]) =>
			updateDisplayOptions(
				{ show: { resource: [resource], operation: [operation] } },
				propertiesOf(parameters),
			),
		),
	),
];

const subtitles = resources.flatMap(([resource, { name, operations }]) =>
	Object.entries(operations).map(([key, operation]) => [`${resource}:${key}`, `${name}: ${operation.name}`]),
);

/**
 * An expression for the line under a node's name on the canvas: resource and operation by their display names. One flat
 * object, as "}}" would end the expression.
 */
export const subtitle = `={{ (${JSON.stringify(Object.fromEntries(subtitles))})[$parameter["resource"] + ":" + $parameter["operation"]] }}`;
