/** The part of gifenc 1.0.3 that is used here; the package contains no types. */
declare module 'gifenc' {
	/** Red, green and blue, 0 to 255. */
	export type Color = readonly [number, number, number];

	interface FrameOptions {
		/** Required for the first frame. */
		palette?: Color[];
		/** Milliseconds. */
		delay?: number;
		transparent?: boolean;
		transparentIndex?: number;
		/** 1: the frame stays, and the next one is drawn over it (GIF89a, Graphic Control Extension). */
		dispose?: number;
	}

	export function applyPalette(rgba: Uint8Array, palette: Color[]): Uint8Array;
	export function GIFEncoder(): {
		writeFrame(indices: Uint8Array, width: number, height: number, options: FrameOptions): void;
		finish(): void;
		bytes(): Uint8Array;
	};
}
