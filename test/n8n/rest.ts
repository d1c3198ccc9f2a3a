import type { ExecutionStatus, IConnections, IDataObject, INode, IPinData } from 'n8n-workflow';

import { isOver, readExecution, type Execution, type ExecutionResponse } from './execution';
import { poll } from './poll';
import { N8nRestError, type N8nSession } from './session';
import { MANUAL_TRIGGER } from './workflow';

/** A workflow as n8n exports it. */
export interface WorkflowJson {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IDataObject;
	pinData?: IPinData;
}

export interface StoredWorkflow extends WorkflowJson {
	id: string;
	versionId: string;
	/** What the workflow's nodes remember between executions. */
	staticData?: IDataObject | null;
}

export interface StoredCredential {
	id: string;
	name: string;
	type: string;
}

export interface ExecutionSummary {
	id: string;
	workflowId: string;
	status: ExecutionStatus;
	mode: string;
}

/** What the editor sends when a picker's list is opened, scrolled or searched. */
export interface PickerRequest {
	nodeTypeAndVersion: { name: string; version: number };
	/** Name of the list search method. */
	methodName: string;
	/** Parameter that the picker belongs to, e.g. `parameters.event`. */
	path: string;
	currentNodeParameters: IDataObject;
	credentials: Record<string, { id: string; name: string }>;
}

export interface PickerPage {
	results: Array<{ name: string; value: string }>;
}

const publicationDeadlineMilliseconds = 60_000;

/** What a person does in n8n's editor. Every method throws an `N8nRestError` when n8n rejects the request. */
export class N8nRest {
	constructor(private readonly session: N8nSession) {}

	async createCredential(type: string, name: string, data: object): Promise<StoredCredential> {
		return await this.session.post('/credentials', { type, name, data });
	}

	/**
	 * What the credential's dialog does on Save: reads what is stored, where secrets are hidden, saves it with the changes, and tests
	 * it; returns the result of the test, undefined without one.
	 */
	async editCredential(
		{ id, name, type }: StoredCredential,
		changes: object,
		{ isTested = true } = {},
	): Promise<{ status: 'OK' | 'Error'; message: string } | undefined> {
		const shown = await this.session.get<{ data: object }>(`/credentials/${id}?includeData=true`);
		const data = { ...shown.data, ...changes };
		await this.session.request('PATCH', `/credentials/${id}`, { id, name, type, data });
		return isTested ? await this.testCredential({ id, name, type }, data) : undefined;
	}

	/** Status and the message that a person would read in the credential's dialog. */
	async testCredential(
		credential: StoredCredential,
		data: object,
	): Promise<{ status: 'OK' | 'Error'; message: string }> {
		return await this.session.post('/credentials/test', { credentials: { ...credential, data } });
	}

	async credentials(): Promise<StoredCredential[]> {
		return await this.session.get('/credentials');
	}

	/** All of them, archived ones as well, without their nodes. */
	async workflows(): Promise<Array<{ id: string; name: string }>> {
		return await this.session.get('/workflows');
	}

	async createWorkflow(workflow: WorkflowJson): Promise<StoredWorkflow> {
		return await this.session.post('/workflows', { settings: {}, ...workflow, active: false });
	}

	async workflow(id: string): Promise<StoredWorkflow> {
		return await this.session.get(`/workflows/${id}`);
	}

	async updateWorkflow(id: string, changes: Partial<WorkflowJson>): Promise<StoredWorkflow> {
		const { versionId, name, nodes, connections, settings } = await this.workflow(id);
		return await this.session.request('PATCH', `/workflows/${id}`, {
			versionId,
			name,
			nodes,
			connections,
			settings,
			...changes,
		});
	}

	/** Publishes the newest version and waits until its triggers run. Throws with a trigger's own error. */
	async activateWorkflow(id: string): Promise<void> {
		const { versionId } = await this.workflow(id);
		await this.session.post(`/workflows/${id}/activate`, { versionId });
		const failures = await this.publicationFailures(id);
		if (failures.length > 0) throw new Error(`Workflow ${id} was not activated: ${failures.join('; ')}`);
	}

	async deactivateWorkflow(id: string): Promise<void> {
		await this.session.post(`/workflows/${id}/deactivate`, {});
		await this.publicationFailures(id);
	}

	/** Starts a manual execution, as Execute Workflow in the editor does, and returns its ID. */
	async runWorkflow(id: string, triggerName: string): Promise<string> {
		const workflowData = await this.workflow(id);
		const { executionId } = await this.session.post<{ executionId?: string }>(
			`/workflows/${id}/run`,
			// n8n 1.x runs the workflow in the request, 2.x the stored one.
			{ workflowData, triggerToStartFrom: { name: triggerName } },
		);
		if (executionId === undefined) throw new Error(`Workflow ${id} did not start from "${triggerName}"`);
		return executionId;
	}

	/** Runs a new workflow by its manual trigger, and waits until that is over. */
	async runToEnd(workflow: WorkflowJson): Promise<Execution> {
		const { id } = await this.createWorkflow(workflow);
		return await this.waitForExecution(await this.runWorkflow(id, MANUAL_TRIGGER));
	}

	/**
	 * Posts to the webhook of a published workflow, as soon as n8n accepts that, and returns the ID of the execution.
	 *
	 * @param address path of the webhook, and a query
	 */
	async postToWebhook(workflowId: string, address: string, request: RequestInit = {}): Promise<string> {
		// In queue mode, a job that no worker has started is not listed first.
		const before = new Set((await this.executions(workflowId)).map(({ id }) => id));
		await poll(`n8n to accept a request to ${address}`, publicationDeadlineMilliseconds, async () =>
			this.unlessMissing(() => this.session.fetch(`/webhook/${address}`, { method: 'POST', ...request })),
		);
		return await poll(
			`an execution of workflow ${workflowId}`,
			120_000,
			async () => (await this.executions(workflowId)).find(({ id }) => !before.has(id))?.id,
		);
	}

	/** Waits until the execution is over, however it ended. Throws when that takes more than `deadlineMilliseconds`. */
	async waitForExecution(id: string, deadlineMilliseconds = 120_000, pausePart?: number): Promise<Execution> {
		const readState = async () => {
			const response = await this.session.get<ExecutionResponse>(`/executions/${id}`);
			return isOver(response) ? readExecution(response) : undefined;
		};
		return await poll(`execution ${id} to be over`, deadlineMilliseconds, readState, pausePart);
	}

	/** Executions of a workflow, newest first. */
	async executions(workflowId: string): Promise<ExecutionSummary[]> {
		const query = new URLSearchParams({ filter: JSON.stringify({ workflowId }), limit: '100' });
		return (await this.session.get<{ results: ExecutionSummary[] }>(`/executions?${query.toString()}`))
			.results;
	}

	/** Continues a failed or crashed execution where it stopped; returns once the new execution is over. */
	async retryExecution(id: string): Promise<Execution> {
		const retried = await this.session.post<{ id?: string }>(`/executions/${id}/retry`, {
			loadWorkflow: false,
		});
		if (retried.id === undefined) throw new Error(`n8n did not return the execution that retried ${id}`);
		return await this.waitForExecution(retried.id);
	}

	async stopExecution(id: string): Promise<void> {
		await this.session.post(`/executions/${id}/stop`, {});
	}

	/** One page of a picker's list. */
	async pickerPage(request: PickerRequest): Promise<PickerPage> {
		return await this.session.post('/dynamic-node-parameters/resource-locator-results', request);
	}

	/** Waits for n8n 2.x, which activates and deactivates in the background; returns what kept triggers from running. */
	private async publicationFailures(workflowId: string): Promise<string[]> {
		interface Publication {
			status: 'in_progress' | 'not_published' | 'published' | 'partial' | 'failed';
			triggers: Array<{ status: string; errorMessage: string | null }>;
		}
		return await poll(`workflow ${workflowId} to be published`, publicationDeadlineMilliseconds, async () => {
			const publication = await this.unlessMissing(() =>
				this.session.get<Publication>(`/workflows/${workflowId}/publication-status`),
			);
			if (publication === undefined) return [];
			if (publication.status === 'in_progress') return undefined;
			return publication.triggers.flatMap(({ errorMessage }) => errorMessage ?? []);
		});
	}

	private async unlessMissing<T>(request: () => Promise<T>): Promise<T | undefined> {
		try {
			return await request();
		} catch (error) {
			if (error instanceof N8nRestError && error.status === 404) return undefined;
			throw error;
		}
	}
}
