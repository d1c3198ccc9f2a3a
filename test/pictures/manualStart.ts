/** The node that n8n's editor adds first to a workflow that is started by hand. */
export const manualStart = {
	id: 'start',
	name: 'When clicking ‘Execute workflow’',
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	position: [0, 0] as [number, number],
	parameters: {},
};
