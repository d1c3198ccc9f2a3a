import { parse } from 'flatted';
import type { ExecutionStatus, INodeExecutionData, IRunExecutionData } from 'n8n-workflow';

export interface Execution {
	id: string;
	status: ExecutionStatus;
	data: IRunExecutionData;
}

/** Response of `/rest/executions/:id`: the data is one string, flattened by `flatted`. */
export type ExecutionResponse = Omit<Execution, 'data'> & { data: string };

export function readExecution(response: ExecutionResponse): Execution {
	return { ...response, data: parse(response.data) };
}

/** n8n 1.x reports the end of an execution a moment before it has the data, which is an empty list until then. */
export function isOver({ status, data }: ExecutionResponse): boolean {
	if (status === 'new' || status === 'running' || status === 'waiting') return false;
	return data !== '[]' || (status !== 'success' && status !== 'error');
}

/** Items that the node's last run returned at `output`; empty when the node did not run. */
export function outputOf(execution: Execution, nodeName: string, output = 0): INodeExecutionData[] {
	return execution.data.resultData.runData[nodeName]?.at(-1)?.data?.main?.[output] ?? [];
}

/** Items that all runs of the node returned at its first output. */
export function outputOfRuns(execution: Execution, nodeName: string): INodeExecutionData[] {
	const runs = execution.data.resultData.runData[nodeName] ?? [];
	return runs.flatMap((run) => run.data?.main?.[0] ?? []);
}

/** What a person reads in the node's panel when the execution failed: message and description, one line each. */
export function errorOf(execution: Execution): string {
	const { error } = execution.data.resultData;
	return [error?.message, error?.description].filter((text) => typeof text === 'string').join('\n');
}
