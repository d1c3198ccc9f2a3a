import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** `@tus/server` with `@tus/file-store`, behind the paths and the sign-in of the video service. */
export interface TusServer {
	readonly baseUrl: string;
	/** The bytes that the file store has of an upload. */
	stored(uploadId: string): Buffer;
	close(): Promise<void>;
}

export async function startTusServer(): Promise<TusServer> {
	const directory = mkdtempSync(path.join(tmpdir(), 'video-hosting-tus-'));
	const program = path.join(__dirname, 'main.ts');
	const child = spawn(process.execPath, ['--import', 'tsx', program, directory], {
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	const exited = once(child, 'exit');
	const port = await new Promise<number>((resolve, reject) => {
		void exited.then(() => {
			reject(new Error('The TUS server ended before it listened'));
		});
		createInterface(child.stdout).once('line', (line) => {
			resolve(Number(line));
		});
	});
	return {
		baseUrl: `http://127.0.0.1:${port}`,
		stored: (uploadId) => readFileSync(path.join(directory, uploadId)),
		close: async () => {
			child.stdin.end();
			await exited;
			rmSync(directory, { recursive: true });
		},
	};
}
