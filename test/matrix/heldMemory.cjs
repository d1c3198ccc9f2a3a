/**
 * Loaded into n8n (--require): writes down how much memory of a file that is uploaded is held, as heldMemory.ts reads it. Bytes.
 */
const { ReadStream, writeFileSync } = require('node:fs');

/** What the package requests; nothing else in n8n reads files in chunks of this size. */
const CHUNK_BYTES = 256 * 1024;

const { _read } = ReadStream.prototype;
const { transfer } = ArrayBuffer.prototype;

let stream;
let held;

ReadStream.prototype._read = function (...parameters) {
	if (this.readableHighWaterMark === CHUNK_BYTES && this !== stream) {
		stream = this;
		held = { givenBack: 0, most: 0 };
	}
	return _read.apply(this, parameters);
};

ArrayBuffer.prototype.transfer = function (...parameters) {
	if (stream && parameters[0] === 0) {
		held.most = Math.max(held.most, stream.bytesRead - held.givenBack);
		held.givenBack += this.byteLength;
		writeFileSync(process.env.HELD_MEMORY_FILE, JSON.stringify(held));
	}
	return transfer.apply(this, parameters);
};
