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

/** Where the process of a side finds what it needs. */
export interface Folders {
	/** n8n's user folder, where n8n-core looks for binary data. */
	userFolder: string;
	/** Of the installed package. */
	packageFolder: string;
}

/** Uploads a file and resolves when the service has it. */
export type Upload = (transfer: Transfer & Folders) => Promise<void>;

export const sideNames = ['node', 'nodeWithoutDigest', 'tusJsClient', 'httpRequest'] as const;
export type SideName = (typeof sideNames)[number];

/** Argument of a side's process, see main.ts. */
export const withN8nCore = 'withN8nCore';

/** What the process of a side sends back after an upload. */
export type SideResult = { milliseconds: number } | { error: string };
