/**
 * Lints both node descriptions as n8n shows them. eslint-plugin-n8n-nodes-base reads literals only, and our parameters are made by
 * functions, so the expanded descriptions are written as source code first. Run by `npm run lint`, through tsx.
 */
import nodesBase from 'eslint-plugin-n8n-nodes-base';
import { ESLint } from 'eslint';
import typescript from 'typescript-eslint';

import { VideoHosting } from '../nodes/VideoHosting/VideoHosting.node.ts';
import { VideoHostingTrigger } from '../nodes/VideoHosting/VideoHostingTrigger.node.ts';

const eslint = new ESLint({
	overrideConfigFile: true,
	overrideConfig: {
		files: ['**/*.ts'],
		languageOptions: { parser: typescript.parser },
		plugins: { 'n8n-nodes-base': nodesBase },
		rules: {
			...nodesBase.configs.nodes.rules,
			// They require the string 'main', where n8n's newer rule set requires NodeConnectionTypes.Main.
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
		},
	},
});

for (const node of [new VideoHosting(), new VideoHostingTrigger()]) {
	const { name } = node.constructor;
	const source = sourceOf(name, node.description);
	const lines = source.split('\n');
	const [{ messages }] = await eslint.lintText(source, { filePath: `nodes/VideoHosting/${name}.node.ts` });
	for (const { line, ruleId, message } of messages) {
		console.error(`${name}: ${ruleId}: ${message}\n\t${lines[line - 1].trim()}`);
		process.exitCode = 1;
	}
}

/** A class as the plugin reads it: its rules look for keys without quotation marks. */
function sourceOf(name, description) {
	const literal = JSON.stringify(description, asWritten, '\t')
		.replace(/^(\t*)"(\w+)":/gm, '$1$2:')
		.replace(/"((?:[^"\\]|\\.)*)"/g, (_, text) => `'${text.replace(/\\"/g, '"').replace(/'/g, "\\'")}'`);
	return `export class ${name} implements INodeType {\n\tdescription: INodeTypeDescription = ${literal};\n}\n`;
}

/** The order of the keys is ours, and that of time zones is that of n8n's workflow settings. */
function asWritten(_, value) {
	if (value?.displayName === undefined) return value;
	const { displayName, options, ...rest } = value;
	const shown = value.name === 'timezone' ? options.slice(0, 1) : options;
	return { displayName, ...rest, ...(options ? { options: shown } : {}) };
}
