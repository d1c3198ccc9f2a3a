export const megabyte = 1e6;
export const gigabyte = 1e9;
export const mebibyte = 1024 * 1024;

/** Bytes per second from bytes and milliseconds. */
export function throughput(bytes: number, milliseconds: number): number {
	return bytes / (milliseconds / 1000);
}

export function readableThroughput(bytesPerSecond: number): string {
	return `${rounded(bytesPerSecond / megabyte)} MB/s`;
}

export function readableMebibytes(bytes: number): string {
	return `${rounded(bytes / mebibyte)} MiB`;
}

export function readableKilobytes(bytes: number): string {
	return `${rounded(bytes / 1000)} KB`;
}

export function formatBytes(bytes: number): string {
	return bytes >= gigabyte ? `${rounded(bytes / gigabyte)} GB` : `${rounded(bytes / megabyte)} MB`;
}

export function readableSeconds(milliseconds: number): string {
	return `${rounded(milliseconds / 1000)} s`;
}

/** Three digits are as many as these measurements carry. */
function rounded(figure: number): string {
	return Math.abs(figure) >= 100 ? figure.toFixed(0) : String(Number(figure.toPrecision(3)));
}
