import type { ServiceCredential } from '../../fakeService';

/** One file to be uploaded. */
export interface Transfer {
	/** Of the service, or of a line in front of it. */
	credential: ServiceCredential;
	/** Bytes. */
	size: number;
	/** Most bytes in one PATCH; 0 for the whole file in one. */
	requestBytes: number;
}

/** Uploads a file and resolves when the service has it. */
export type Upload = (transfer: Transfer) => Promise<void>;

export const sideNames = ['node', 'nodeWithoutDigest', 'tusJsClient', 'httpRequest'] as const;
export type SideName = (typeof sideNames)[number];

/** Argument of a side's process, see main.ts. */
export const withN8nCore = 'withN8nCore';

/** What the process of a side sends back after an upload. */
export type SideResult = { milliseconds: number } | { error: string };
