import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The memory of one file that was uploaded, in bytes. */
export interface HeldMemory {
	givenBack: number;
	/** At most at one time: by the node, and by n8n's HTTP client. */
	most: number;
}

/** Watches, in an n8n that is started with `env`, how much memory of a file is held while it is uploaded. */
export class HeldMemoryWatch {
	private readonly folder = mkdtempSync(join(tmpdir(), 'held-memory-'));

	private readonly file = join(this.folder, 'held.json');

	readonly env = {
		NODE_OPTIONS: `--require "${join(__dirname, 'heldMemory.cjs')}"`,
		HELD_MEMORY_FILE: this.file,
	};

	/** Of the last file from which memory was given back; undefined when there was none. */
	last(): HeldMemory | undefined {
		if (!existsSync(this.file)) return undefined;
		// What heldMemory.cjs writes.
		return JSON.parse(readFileSync(this.file, 'utf8')) as HeldMemory;
	}

	forget(): void {
		rmSync(this.file, { force: true });
	}

	/** Deletes what was written. */
	remove(): void {
		rmSync(this.folder, { recursive: true, force: true });
	}
}
