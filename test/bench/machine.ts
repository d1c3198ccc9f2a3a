import { cpus, loadavg, release, totalmem } from 'node:os';
import { promisify } from 'node:util';
import { execFile } from 'node:child_process';

import type { TestBed } from './testBed';

const run = promisify(execFile);

export interface MachineFacts {
	/** ISO 8601. */
	date: string;
	processor: string;
	cores: number;
	/** Bytes. */
	memory: number;
	system: string;
	/** Node that n8n and all sides outside n8n run on. */
	node: string;
	n8n: string;
	/** Commit of this repository. */
	commit: string;
	/** Mean number of processes that wanted a core in the minute before the start. */
	loadBefore: number;
}

export async function machineFacts(bed: TestBed): Promise<MachineFacts> {
	const { stdout: node } = await run(await bed.node(), ['--version']);
	const { stdout: commit } = await run('git', ['rev-parse', '--short', 'HEAD'], { cwd: __dirname });
	const [first] = cpus();
	return {
		date: new Date().toISOString(),
		processor: first?.model.trim() ?? 'unknown',
		cores: cpus().length,
		memory: totalmem(),
		system: `${process.platform} ${release()}`,
		node: node.trim(),
		n8n: bed.release.version,
		commit: commit.trim(),
		loadBefore: loadavg()[0] ?? NaN,
	};
}
