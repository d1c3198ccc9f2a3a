import { strict as assert } from 'node:assert';

import { outputOf } from '../n8n/execution';
import { poll } from '../n8n/poll';
import type { Subject } from './subject';
import * as nodes from '../n8n/workflow';

const deadlineMilliseconds = 120_000;

/** Throws unless one change at the service starts one execution. */
export async function triggersOnce({ n8n, service, credential }: Subject): Promise<string> {
	const [event] = service.seedEvents(3);
	assert.ok(event);
	const workflow = await n8n.rest.createWorkflow(
		nodes.workflowOf('Trigger', [nodes.videoHostingTrigger(credential), nodes.noOperation('Report')]),
	);
	await n8n.rest.activateWorkflow(workflow.id);
	const polls = () => service.requestsOf('eventSearchAll').filter(({ status }) => status === 200).length;
	const morePolls = async (times: number) => {
		const before = polls();
		await poll(`${times} polls`, deadlineMilliseconds, () => polls() >= before + times || undefined);
	};
	const finishedExecutions = async () =>
		(await n8n.rest.executions(workflow.id)).filter(
			({ mode, status }) => mode === 'trigger' && status !== 'running',
		);

	await morePolls(1);
	service.setEventStatus(event.hash, 'LIVE');
	const [first] = await poll('an execution for the change', deadlineMilliseconds, async () => {
		const executions = await finishedExecutions();
		return executions.length > 0 ? executions : undefined;
	});
	assert.ok(first);
	await morePolls(2);
	assert.equal((await finishedExecutions()).length, 1, 'One change started more than one execution');
	await n8n.rest.deactivateWorkflow(workflow.id);
	const [item] = outputOf(await n8n.rest.waitForExecution(first.id), nodes.TRIGGER);
	assert.equal(item?.json.hash, event.hash);
	assert.equal(item?.json.status, 'LIVE');
	return `1 change, 1 execution, ${polls()} polls`;
}
