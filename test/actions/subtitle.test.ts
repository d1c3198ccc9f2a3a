import { Workflow, type INodeTypes } from 'n8n-workflow';

import { VideoHosting } from '../../nodes/VideoHosting/VideoHosting.node';

const node = new VideoHosting();
const { properties, subtitle = '' } = node.description;
const nodeTypes: INodeTypes = {
	getByName: () => node,
	getByNameAndVersion: () => node,
	getKnownTypes: () => ({}),
};

const entries = (property: (typeof properties)[number] | undefined) =>
	(property?.options ?? []).flatMap((option) => ('value' in option ? [option] : []));
const combinations = properties
	.filter(({ name }) => name === 'operation')
	.flatMap((property) => {
		const resource = property.displayOptions?.show?.resource?.map(String)[0] ?? '';
		const shown = entries(properties.find(({ name }) => name === 'resource')).find(
			({ value }) => value === resource,
		);
		return entries(property).map(({ name, value }) => [resource, String(value), `${shown?.name}: ${name}`]);
	});

it.each(combinations)('shows %s %s as "%s"', (resource = '', operation = '', shown) => {
	const name = 'Video Hosting';
	const workflow = new Workflow({
		nodes: [
			{
				id: '1',
				name,
				type: 'videoHosting',
				typeVersion: 1,
				position: [0, 0],
				parameters: { resource, operation },
			},
		],
		connections: {},
		active: false,
		nodeTypes,
	});
	const [only] = Object.values(workflow.nodes);
	if (!only) throw new Error('The workflow has no node');
	expect(workflow.expression.getSimpleParameterValue(only, subtitle, 'manual', {})).toBe(shown);
});
