import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a new package for n8n is before anything of one's own is in it: one node with one parameter. */
export function writeStarterPackage(folder: string): void {
	const nodeFolder = join(folder, 'dist', 'nodes', 'Starter');
	mkdirSync(nodeFolder, { recursive: true });
	const files = {
		[join(folder, 'package.json')]: JSON.stringify(packageJson, null, '\t'),
		[join(nodeFolder, 'Starter.node.js')]: node,
		[join(nodeFolder, 'Starter.node.json')]: JSON.stringify({
			node: 'n8n-nodes-base.starter',
			codexVersion: '1.0',
		}),
		[join(nodeFolder, 'starter.svg')]: icon,
	};
	for (const [file, text] of Object.entries(files)) writeFileSync(file, text);
}

const packageJson = {
	name: 'n8n-nodes-starter-of-benchmark',
	version: '0.1.0',
	license: 'MIT',
	keywords: ['n8n-community-node-package'],
	files: ['dist'],
	n8n: { n8nNodesApiVersion: 1, credentials: [], nodes: ['dist/nodes/Starter/Starter.node.js'] },
	peerDependencies: { 'n8n-workflow': '*' },
};

const node = `"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.Starter = void 0;
const { NodeConnectionTypes, NodeOperationError } = require("n8n-workflow");
class Starter {
	description = {
		displayName: "Starter",
		name: "starter",
		icon: "file:starter.svg",
		group: ["transform"],
		version: 1,
		description: "Adds one field to each item",
		defaults: { name: "Starter" },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		properties: [{ displayName: "Text", name: "text", type: "string", default: "", description: "Text of the field" }],
	};
	async execute() {
		const items = this.getInputData();
		return [items.map(({ json }, item) => {
			const text = this.getNodeParameter("text", item);
			if (typeof text !== "string") throw new NodeOperationError(this.getNode(), "Text is no text", { itemIndex: item });
			return { json: { ...json, text }, pairedItem: { item } };
		})];
	}
}
exports.Starter = Starter;
`;

const icon =
	'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="#888"/></svg>';
