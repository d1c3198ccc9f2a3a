import type { RunningService } from '../fakeService';
import { outputOf } from '../n8n/execution';
import type { RunningN8n } from '../n8n/instance';
import { poll } from '../n8n/poll';
import type { StoredCredential } from '../n8n/rest';
import * as nodes from '../n8n/workflow';

/** Expects that one change at the service starts one execution. */
export async function expectOneExecution(
	n8n: RunningN8n,
	service: RunningService,
	credential: StoredCredential,
): Promise<void> {
	const [event] = service.seedEvents(3);
	const trigger = nodes.videoHostingTrigger(credential);
	const { id } = await n8n.rest.createWorkflow(nodes.workflowOf('Trigger', [trigger]));
	await n8n.rest.activateWorkflow(id);
	const polls = () => service.requestsOf('eventSearchAll').filter(({ status }) => status === 200).length;
	const finished = async () =>
		(await n8n.rest.executions(id)).filter(({ mode, status }) => mode === 'trigger' && status !== 'running');

	service.setEventStatus(event?.hash ?? '', 'LIVE');
	const first = await poll('an execution for the change', 120_000, async () => (await finished())[0]);
	const before = polls();
	await service.until(() => polls() >= before + 2);
	await n8n.rest.deactivateWorkflow(id);
	expect(await finished()).toHaveLength(1);
	expect(outputOf(await n8n.rest.waitForExecution(first.id), nodes.TRIGGER)).toMatchObject([
		{ json: { hash: event?.hash, status: 'LIVE' } },
	]);
}
