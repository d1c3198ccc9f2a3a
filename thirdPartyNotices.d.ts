import type { Metafile } from 'esbuild';

/** See thirdPartyNotices.js. */
export function thirdPartyNotices(metafile: Metafile): string;
