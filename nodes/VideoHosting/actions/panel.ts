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

const operations = resources.flatMap(([resource, { name, operations: ofResource }]) =>
	Object.entries(ofResource).map(([key, operation]) => ({
		show: { resource: [resource], operation: [key] },
		id: `${resource}:${key}`,
		title: `${name}: ${operation.name}`,
		operation,
	})),
);

/** The operations by the values of Resource and Operation that workflows store, such as `event:create`. */
export const OPERATIONS = new Map(operations.map(({ id, operation }) => [id, operation]));

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
	...resources.map(([resource, { operations: ofResource, defaultOperation }]): INodeProperties => ({
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: Object.entries(ofResource).map(([value, { name, description, action }]) => {
			return { name, value, description, action };
		}),
		default: defaultOperation,
	})),
	...operations.flatMap(({ show, operation }) =>
		updateDisplayOptions({ show }, propertiesOf(operation.parameters)),
	),
];

const titles = Object.fromEntries(operations.map(({ id, title }) => [id, title]));

/**
 * An expression for the line under a node's name on the canvas: resource and operation by their display names. One flat
 * object, as "}}" would end the expression.
 */
export const subtitle = `={{ (${JSON.stringify(titles)})[$parameter["resource"] + ":" + $parameter["operation"]] }}`;
