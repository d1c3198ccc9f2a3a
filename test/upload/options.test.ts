import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { RangeReader } from '../../nodes/VideoHosting/sources/rangeReader';
import { assertLength, type Source } from '../../nodes/VideoHosting/sources/source';

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

describe('reading a file', () => {
	const source = (chunks: Uint8Array[]): Source => ({
		size: 10,
		isImmutable: true,
		async *bytes() {
			for (const chunk of chunks) yield await Promise.resolve(chunk);
		},
	});

	it.each([
		[0, 0.5],
		[0.5, 1],
		[3, 2],
		[-1, 2],
	])('rejects the range from %d to %d', (start, end) => {
		expect(() => new RangeReader(source([])).slice(start, end)).toThrow(RangeError);
	});

	it('ends at a chunk without bytes instead of reading on forever', async () => {
		const { value } = await new RangeReader(source([Buffer.alloc(0)])).slice(0, 10);
		await expect(value.bytes().next()).rejects.toThrow('returned no bytes');
	});

	it('ends when a source yields nothing but empty chunks', async () => {
		async function* nothing(): AsyncGenerator<Uint8Array, void, undefined> {
			for (;;) yield await Promise.resolve(new Uint8Array(0));
		}
		await expect(assertLength(nothing(), 10, 'The file').next()).rejects.toThrow('only empty chunks');
	});
});
