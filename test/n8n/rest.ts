import axios from 'axios';
import { parse } from 'flatted';
import type { ExecutionStatus, INodeExecutionData, IRunExecutionData, IWorkflowBase } from 'n8n-workflow';

import { poll } from './poll';
import { MANUAL_TRIGGER } from './workflow';

/** A workflow as n8n exports it. */
export type WorkflowJson = Pick<IWorkflowBase, 'name' | 'nodes' | 'connections' | 'settings' | 'pinData'>;

export interface StoredWorkflow extends WorkflowJson {
	id: string;
	versionId: string;
}

export interface StoredCredential {
	id: string;
	name: string;
	type: string;
}

export interface Execution {
	id: string;
	status: ExecutionStatus;
	data: IRunExecutionData;
}

/** Response of `/rest/executions/:id`: the data is one string, flattened by `flatted`. */
type ExecutionResponse = Omit<Execution, 'data'> & { data: string };

/** What a person does in n8n's editor. Every method throws n8n's error message when n8n rejects the request. */
export class N8nRest {
	private readonly client;

	constructor(url: string) {
		// A kept connection may be closed by n8n (after 5 s) at the moment in which the next request is sent on it.
		const headers = { connection: 'close' };
		this.client = axios.create({ baseURL: `${url}/rest`, headers, proxy: false, validateStatus: () => true });
	}

	/**
	 * n8n returns plain text, or 503 as long as its database is not ready, while it is starting, and JSON once it is ready
	 * (docs/n8n-internals.md#n8n-in-tests).
	 */
	async isReady(): Promise<boolean> {
		const response = await this.client.get('/login').catch(() => undefined);
		return response !== undefined && response.status < 500 && typeof response.data === 'object';
	}

	/** Signs in as n8n's owner, who is set up first if there is no owner yet. */
	async signIn({ email, password }: { email: string; password: string }): Promise<void> {
		const owner = { email, password, firstName: 'Olive', lastName: 'Owner' };
		// n8n rejects a second owner.
		await this.post('/owner/setup', owner).catch(async () => {
			await this.post('/login', { emailOrLdapLoginId: email, password });
		});
	}

	async createCredential(type: string, name: string, data: object): Promise<StoredCredential> {
		return await this.post('/credentials', { type, name, data });
	}

	/**
	 * What the credential's dialog does on Save: reads what is stored, where secrets are hidden, saves it with the changes, and
	 * tests it.
	 */
	async editCredential({ id, name, type }: StoredCredential, changes: object) {
		const shown = await this.get<{ data: object }>(`/credentials/${id}?includeData=true`);
		const data = { ...shown.data, ...changes };
		await this.request('PATCH', `/credentials/${id}`, { id, name, type, data });
		return await this.testCredential({ id, name, type }, data);
	}

	/** Returns what the credential's dialog shows. */
	async testCredential(credential: StoredCredential, data: object) {
		return await this.post<{ status: 'OK' | 'Error'; message: string }>('/credentials/test', {
			credentials: { ...credential, data },
		});
	}

	async createWorkflow(workflow: WorkflowJson): Promise<StoredWorkflow> {
		return await this.post('/workflows', { settings: {}, ...workflow, active: false });
	}

	/** Publishes the workflow and waits until its triggers run. Throws with a trigger's own error. */
	async activateWorkflow({ id, versionId }: StoredWorkflow): Promise<void> {
		await this.post(`/workflows/${id}/activate`, { versionId });
		const failures = await this.publicationFailures(id);
		if (failures.length > 0) throw new Error(`Workflow ${id} was not activated: ${failures.join('; ')}`);
	}

	async deactivateWorkflow({ id }: StoredWorkflow): Promise<void> {
		await this.post(`/workflows/${id}/deactivate`, {});
		await this.publicationFailures(id);
	}

	/** Starts a manual execution of a new or stored workflow, as Execute Workflow in the editor does, and returns its ID. */
	async runWorkflow(given: WorkflowJson | StoredWorkflow, triggerName = MANUAL_TRIGGER): Promise<string> {
		const workflow = 'id' in given ? given : await this.createWorkflow(given);
		const { executionId } = await this.post<{ executionId?: string }>(
			`/workflows/${workflow.id}/run`,
			// n8n 1.x runs the workflow in the request, 2.x the stored one.
			{ workflowData: workflow, triggerToStartFrom: { name: triggerName } },
		);
		if (executionId === undefined) throw new Error(`${workflow.name} did not start from "${triggerName}"`);
		return executionId;
	}

	/** As {@link runWorkflow}, but waits until the execution is over, however it ended. */
	async runToEnd(workflow: WorkflowJson | StoredWorkflow, triggerName?: string): Promise<Execution> {
		return await this.waitForExecution(await this.runWorkflow(workflow, triggerName));
	}

	/** As {@link runToEnd}, but throws n8n's error message when the execution fails. */
	async runToSuccess(workflow: WorkflowJson | StoredWorkflow, triggerName?: string): Promise<Execution> {
		return expectSuccess(await this.runToEnd(workflow, triggerName));
	}

	/** Waits until the execution is over, however it ended. Throws when that takes more than `deadlineMilliseconds`. */
	async waitForExecution(id: string, deadlineMilliseconds = 120_000, pause?: number): Promise<Execution> {
		const readState = async () => {
			const response = await this.get<ExecutionResponse>(`/executions/${id}`);
			return isOver(response) ? { ...response, data: parse(response.data) } : undefined;
		};
		return await poll(`execution ${id} to be over`, deadlineMilliseconds, readState, pause);
	}

	/** Executions of a workflow, newest first. */
	async executions({ id }: { id: string }) {
		const query = new URLSearchParams({ filter: JSON.stringify({ workflowId: id }), limit: '100' });
		const path = `/executions?${query.toString()}`;
		return (await this.get<{ results: Array<Pick<Execution, 'id' | 'status'>> }>(path)).results;
	}

	/** Waits for n8n 2.x, which activates and deactivates in the background; returns what kept triggers from running. */
	private async publicationFailures(workflowId: string): Promise<string[]> {
		type Publication = { status: string; triggers: Array<{ errorMessage: string | null }> };
		return await poll(`workflow ${workflowId} to be published`, 60_000, async () => {
			const address = `/workflows/${workflowId}/publication-status`;
			const { data: body, status } = await this.client.get<{ data: Publication }>(address);
			if (status === 404) return [];
			if (body.data.status === 'in_progress') return undefined;
			return body.data.triggers.flatMap(({ errorMessage }) => errorMessage ?? []);
		});
	}

	async get<T>(path: string): Promise<T> {
		return await this.request('GET', path);
	}

	async post<T>(path: string, body: object): Promise<T> {
		return await this.request('POST', path, body);
	}

	/** `url` starts below `/rest`; returns `data` of the response. */
	private async request<T>(method: string, url: string, data?: object): Promise<T> {
		const response = await this.client.request<{ data: T }>({ method, url, data });
		if (response.status >= 400)
			throw new Error(`${method} ${url}: ${response.status} ${JSON.stringify(response.data)}`);
		const signedIn = response.headers['set-cookie']?.find((cookie) => cookie.startsWith('n8n-auth='));
		if (signedIn) this.client.defaults.headers.common.cookie = signedIn.split(';')[0];
		return response.data.data;
	}
}

/** Returns an execution that succeeded, and throws with what a person reads when it failed. */
export function expectSuccess(execution: Execution): Execution {
	if (execution.status !== 'success')
		throw new Error(`Execution ${execution.id}: ${execution.status}: ${errorOf(execution)}`);
	return execution;
}

/** n8n 1.x reports the end of an execution a moment before it has the data, which is an empty list until then. */
function isOver({ status, data }: ExecutionResponse): boolean {
	if (status === 'new' || status === 'running' || status === 'waiting') return false;
	return data !== '[]' || (status !== 'success' && status !== 'error');
}

/** Items that the node returned at `output`, of all its runs; empty when it did not run. */
export function outputOf(execution: Execution, nodeName: string, output = 0): INodeExecutionData[] {
	const runs = execution.data.resultData.runData[nodeName] ?? [];
	return runs.flatMap(({ data }) => data?.main?.[output] ?? []);
}

/** What a person reads in the node's panel when the execution failed: message and description, one line each. */
export function errorOf(execution: Execution): string {
	const { error } = execution.data.resultData;
	return [error?.message, error?.description].filter((text) => typeof text === 'string').join('\n');
}
