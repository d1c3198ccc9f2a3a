type Transfer = (this: ArrayBuffer, bytes: number) => ArrayBuffer;

/** Prototype of the memory of Node's Buffers, which is not that of Jest's global. Node 20 has no `transfer` (ES2024). */
const memory = Object.getPrototypeOf(Buffer.alloc(1024 * 1024).buffer) as ArrayBuffer & {
	transfer?: Transfer;
};

/** Memory that was given back, in bytes. */
export interface GivenBack {
	bytes: number;
}

/**
 * Has memory given back in each test of a file on any Node, and overwritten at that moment: bytes that are needed after all
 * arrive wrong.
 */
export function watchMemory(): GivenBack {
	const own = Object.getOwnPropertyDescriptor(memory, 'transfer');
	const givenBack = { bytes: 0 };
	beforeEach(() => {
		givenBack.bytes = 0;
		memory.transfer = function () {
			givenBack.bytes += this.byteLength;
			new Uint8Array(this).fill(0xee);
			return structuredClone(this, { transfer: [this] });
		};
	});
	afterEach(() => {
		if (own) Object.defineProperty(memory, 'transfer', own);
		else delete memory.transfer;
	});
	return givenBack;
}
