import { writeFileSync } from 'node:fs';

const width = 160;
const height = 120;
const framesPerSecond = 15;
/** Rows of a 24-bit bitmap are padded to 4 bytes; 160 × 3 already is such a multiple. */
const frameBytes = width * height * 3;

/**
 * Writes a video that any player shows: colour bars wandering to the left, as uncompressed AVI. The same size in
 * megabytes (10^6 bytes, at least 1) always returns the same bytes; 6 megabytes last about 7 seconds.
 */
export function writeSampleVideo(file: string, megabytes = 6): void {
	const frames = Math.ceil((megabytes * 1e6) / frameBytes);
	const pictures = Array.from({ length: frames }, (_, frame) => chunk('00db', picture(frame)));
	writeFileSync(
		file,
		chunk('RIFF', fourCC('AVI '), headers(frames), list('movi', ...pictures), chunk('idx1', index(pictures))),
	);
}

/** Layout: "AVI RIFF File Reference" of Microsoft's DirectShow documentation. */
function headers(frames: number): Buffer {
	const hasIndex = 0x10;
	const mainHeader = integers(
		...[1e6 / framesPerSecond, frameBytes * framesPerSecond, 0, hasIndex, frames, 0, 1, frameBytes],
		...[width, height, 0, 0, 0, 0],
	);
	const streamHeader = Buffer.concat([
		fourCC('vids'),
		fourCC('DIB '),
		integers(0, 0, 0, 1, framesPerSecond, 0, frames, frameBytes, 0xffffffff, 0),
		Buffer.from(new Int16Array([0, 0, width, height]).buffer),
	]);
	const planesAndBits = 1 | (24 << 16);
	const bitmapHeader = integers(40, width, height, planesAndBits, 0, frameBytes, 0, 0, 0, 0);
	return list(
		'hdrl',
		chunk('avih', mainHeader),
		list('strl', chunk('strh', streamHeader), chunk('strf', bitmapHeader)),
	);
}

function index(pictures: Buffer[]): Buffer {
	const isKeyFrame = 0x10;
	let offset = 4;
	return Buffer.concat(
		pictures.map((picture) => {
			const entry = Buffer.concat([fourCC('00db'), integers(isKeyFrame, offset, frameBytes)]);
			offset += picture.length;
			return entry;
		}),
	);
}

/** Blue, green, red, with noise in the low bits: no two stretches are alike, so bytes at a wrong place do not go unnoticed. */
function picture(frame: number): Buffer {
	const pixels = Buffer.alloc(frameBytes);
	let noise = frame + 1;
	for (let position = 0; position < frameBytes; position++) {
		// xorshift32 (Marsaglia 2003)
		noise ^= noise << 13;
		noise ^= noise >>> 17;
		noise ^= noise << 5;
		const x = Math.floor(position / 3) % width;
		const bar = Math.floor((((x + frame * 2) % width) * 8) / width);
		const isLit = (bar >> (position % 3)) & 1;
		pixels[position] = (isLit ? 224 : 16) + (noise & 15);
	}
	return pixels;
}

function list(type: string, ...parts: Buffer[]): Buffer {
	return chunk('LIST', fourCC(type), ...parts);
}

function chunk(name: string, ...parts: Buffer[]): Buffer {
	const content = Buffer.concat(parts);
	return Buffer.concat([fourCC(name), integers(content.length), content]);
}

function fourCC(text: string): Buffer {
	return Buffer.from(text, 'latin1');
}

/** 32-bit little-endian, fractions cut off. */
function integers(...values: number[]): Buffer {
	const bytes = Buffer.alloc(values.length * 4);
	values.forEach((value, position) => bytes.writeUInt32LE(Math.floor(value), position * 4));
	return bytes;
}
