import { applyPalette, GIFEncoder, type Color } from 'gifenc';
import { PNG } from 'pngjs';

export interface Frame {
	png: Buffer;
	/** How long it is shown, in milliseconds. */
	delay: number;
}

/** The last entry of the color table; the others are colors. */
const transparentIndex = 255;

/**
 * Encodes frames of equal size as a GIF that repeats forever. All frames share one color table, and each but the first
 * contains only the pixels that change.
 */
export function encodeGif(frames: Frame[]): Uint8Array {
	const pictures = frames.map(({ png }) => PNG.sync.read(png));
	const typical = [0, 0.5, 1].flatMap((part) => pictures[Math.round(part * (pictures.length - 1))] ?? []);
	const colors = mostFrequent(Buffer.concat(typical.map(({ data }) => data)), transparentIndex);
	const palette = Array.from(
		{ length: transparentIndex + 1 },
		(_, index) => colors[index] ?? ([0, 0, 0] as const),
	);
	const gif = GIFEncoder();
	let previous: Uint8Array | undefined;
	pictures.forEach(({ data, width, height }, position) => {
		const indices = applyPalette(data, colors);
		const before = previous;
		const changes = before
			? indices.map((index, pixel) => (index === before[pixel] ? transparentIndex : index))
			: indices;
		previous = indices;
		gif.writeFrame(changes, width, height, {
			...(before === undefined ? { palette } : { transparent: true, transparentIndex }),
			delay: frames[position]?.delay ?? 0,
			dispose: 1,
		});
	});
	gif.finish();
	return gif.bytes();
}

/** The most frequent colors, exactly: screens have large areas of a few colors, which an average would tint. */
function mostFrequent(rgba: Buffer, count: number): Color[] {
	const pixels = new Map<number, number>();
	for (let index = 0; index < rgba.length; index += 4) {
		const rgb = rgba.readUIntBE(index, 3);
		pixels.set(rgb, (pixels.get(rgb) ?? 0) + 1);
	}
	return [...pixels]
		.sort(([, one], [, other]) => other - one)
		.slice(0, count)
		.map(([rgb]) => [rgb >> 16, (rgb >> 8) & 255, rgb & 255] as const);
}
