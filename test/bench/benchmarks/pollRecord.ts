import { noOperation, videoHostingTrigger, workflowOf } from '../../matrix/workflow';
import { recordedWorkflow } from '../../n8n/executionRecord';
import { startN8n, type RunningN8n } from '../../n8n/instance';
import { poll } from '../../n8n/poll';
import { step } from '../../n8n/progress';
import { n8n1, type N8nRelease } from '../../n8n/releases';
import { startService } from '../../fakeService';
import type { Benchmark, Comparison } from '../benchmark';
import type { TestBed } from '../testBed';

interface StateBytes {
	/** In the workflow, where n8n keeps it once. */
	workflow: number;
	/** In the record of an execution. */
	record: number;
}

/** How much of the trigger's state n8n copies into the record of each execution, in both n8n versions. */
export const pollRecord: Benchmark = {
	id: 'poll-record',
	async run({ bed, report, quick }) {
		const events = quick ? 1_000 : 10_000;
		const comparisons: Comparison[] = [];
		for (const release of [bed.release, n8n1]) {
			const title = `Execution record, ${events} events, n8n ${release.version}`;
			const { workflow, record } = await step(report, title, async () => {
				return await withN8n(bed, release, async (n8n) => await stateBytes(n8n, events));
			});
			comparisons.push({
				what: `state of ${events} watched events in each execution record, n8n ${release.version}`,
				against: 'the same in the workflow, where it is once',
				target: 'reported',
				measured: `${record} bytes against ${workflow} bytes`,
				figures: { events, recordBytes: record, workflowBytes: workflow },
			});
		}
		return comparisons;
	},
};

async function withN8n<Result>(
	bed: TestBed,
	release: N8nRelease,
	work: (n8n: RunningN8n) => Promise<Result>,
): Promise<Result> {
	if (release === bed.release) return await work(await bed.n8n());
	const n8n = await startN8n({ release, packageTarball: await bed.tarball() });
	try {
		return await work(n8n);
	} finally {
		await n8n.remove();
	}
}

/**
 * Measured with one change of one event, and a second one, whose execution starts with the state that the first one stored.
 *
 * @throws Error when n8n starts no execution, or does not store the state in the workflow
 */
async function stateBytes(n8n: RunningN8n, events: number): Promise<StateBytes> {
	const service = await startService();
	try {
		const seeded = service.seedEvents(events);
		const credential = await n8n.rest.createCredential('videoHostingApi', 'Poll state', service.credential);
		const nodes = [videoHostingTrigger(credential), noOperation('Report')];
		const { id } = await n8n.rest.createWorkflow(workflowOf('Poll state', nodes));
		await n8n.rest.activateWorkflow(id);
		let newest = '';
		for (const [index, { hash }] of seeded.slice(0, 2).entries()) {
			service.setEventStatus(hash, 'LIVE');
			newest = await poll('an execution for the change', 120_000, async () => {
				const executions = await n8n.rest.executions(id);
				return executions.length > index ? executions[0]?.id : undefined;
			});
			await n8n.rest.waitForExecution(newest);
		}
		await n8n.rest.deactivateWorkflow(id);
		const { staticData: recorded } = await recordedWorkflow(n8n, newest);
		const { staticData: stored } = await n8n.rest.workflow(id);
		if (!stored) throw new Error('n8n stored no static data in the workflow');
		return { workflow: bytesOf(stored), record: recorded ? bytesOf(recorded) : 0 };
	} finally {
		await service.close();
	}
}

function bytesOf(value: object): number {
	return Buffer.byteLength(JSON.stringify(value));
}
