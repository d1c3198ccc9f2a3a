import { spawn } from 'node:child_process';
import { join } from 'node:path';

const LONGEST_RUN_MS = 120_000;

/** Runs a program in a process of its own and kills it when it does not end. Returns its exit code and what it printed. */
async function run(program: string): Promise<{ code: number | null; output: string }> {
	const child = spawn(process.execPath, ['--import', 'tsx', join(__dirname, program)], {
		timeout: LONGEST_RUN_MS,
		killSignal: 'SIGKILL',
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
	}
	const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
	return { code, output };
}

it(
	'Upload sends exactly the file, or rejects an option by name, whatever the options are',
	async () => {
		expect(await run('optionSpace.ts')).toMatchObject({ code: 0 });
	},
	LONGEST_RUN_MS + 20_000,
);
