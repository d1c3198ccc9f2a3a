/** Signatures at the start of a file (WHATWG MIME Sniffing §6.1). */
const SIGNATURES: Array<[type: string, bytes: number[]]> = [
	['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
	['image/jpeg', [0xff, 0xd8, 0xff]],
	['image/gif', [...Buffer.from('GIF87a')]],
	['image/gif', [...Buffer.from('GIF89a')]],
];

/** Brands of image files in the ISO base media format (ISO/IEC 23008-12, AV1 Image File Format §10). */
const BRANDS: Record<string, string> = {
	avif: 'image/avif',
	avis: 'image/avif',
	heic: 'image/heic',
	heix: 'image/heic',
	heim: 'image/heic',
	heis: 'image/heic',
	mif1: 'image/heif',
	msf1: 'image/heif',
};

/** Sizes of the header that follows the 14 bytes of a BMP file's first header. */
const BMP_HEADER_SIZES = [12, 40, 52, 56, 64, 108, 124];

/**
 * The media type of an image by its first bytes: PNG, JPEG, GIF, WebP, AVIF, HEIC, HEIF or BMP. Undefined for anything else.
 */
export function imageTypeOf(bytes: Buffer): string | undefined {
	const signature = SIGNATURES.find(([, start]) => start.every((byte, index) => bytes[index] === byte));
	if (signature) return signature[0];
	if (textAt(bytes, 0) === 'RIFF' && textAt(bytes, 8) === 'WEBP') return 'image/webp';
	if (textAt(bytes, 4) === 'ftyp') return typeOfBrands(bytes);
	// "BM" alone also begins texts.
	const isBmp =
		bytes.length >= 18 &&
		bytes.toString('latin1', 0, 2) === 'BM' &&
		bytes.readUInt32LE(6) === 0 &&
		BMP_HEADER_SIZES.includes(bytes.readUInt32LE(14));
	return isBmp ? 'image/bmp' : undefined;
}

/** The major brand, then the compatible ones: a general image brand is less exact than a brand of one coding. */
function typeOfBrands(bytes: Buffer): string | undefined {
	const boxEnd = Math.min(bytes.readUInt32BE(0), bytes.length);
	const types = [BRANDS[textAt(bytes, 8)]];
	if (types[0] === undefined) return undefined;
	for (let offset = 16; offset + 4 <= boxEnd; offset += 4) types.push(BRANDS[textAt(bytes, offset)]);
	return types.find((type) => type !== undefined && type !== 'image/heif') ?? 'image/heif';
}

function textAt(bytes: Buffer, offset: number): string {
	return bytes.toString('latin1', offset, offset + 4);
}
