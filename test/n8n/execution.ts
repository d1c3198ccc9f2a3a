import type { ExecutionStatus, INodeExecutionData, IRunExecutionData } from 'n8n-workflow';

export interface Execution {
	id: string;
	status: ExecutionStatus;
	data: IRunExecutionData;
}

/** Response of `/rest/executions/:id`: the data is one string, flattened by `flatted`. */
export type ExecutionResponse = Omit<Execution, 'data'> & { data: string };

/** n8n 1.x reports the end of an execution a moment before it has the data, which is an empty list until then. */
export function isOver({ status, data }: ExecutionResponse): boolean {
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
