import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import type { IWorkflowBase } from 'n8n-workflow';

import type { RunningN8n } from './instance';

const run = promisify(execFile);

/** Run in n8n's own folder by n8n's own Node, with the `sqlite3` that n8n brings. */
const script = `
	const { Database, OPEN_READONLY } = require('sqlite3');
	const [file, id] = process.argv.slice(1);
	const query = 'SELECT workflowData FROM execution_data WHERE executionId = ?';
	new Database(file, OPEN_READONLY).get(query, [id], (error, row) => {
		if (error) throw error;
		console.log(row.workflowData);
	});
`;

/**
 * The workflow as n8n stored it in its SQLite database with an execution. n8n's REST API returns less of it.
 *
 * @throws Error when there is no record of the execution
 */
export async function recordedWorkflow(
	{ provided, userFolder }: RunningN8n,
	executionId: string,
): Promise<Partial<IWorkflowBase>> {
	const database = join(userFolder, '.n8n', 'database.sqlite');
	const { stdout } = await run(provided.node, ['--eval', script, '--', database, executionId], {
		cwd: dirname(provided.n8n),
		maxBuffer: 2 ** 28,
	});
	return JSON.parse(stdout);
}
