import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import nodesBase from 'eslint-plugin-n8n-nodes-base';
import { defineConfig, globalIgnores } from 'eslint/config';
import typescript from 'typescript-eslint';

const SHIPPED = ['nodes/**/*.ts', 'credentials/**/*.ts'];
/** What the n8n-workflow of every supported n8n exports, 1.123 included: the package uses the one of the n8n that loads it. */
const N8N_WORKFLOW_VALUES = [
	'NodeApiError',
	'NodeConnectionTypes',
	'NodeOperationError',
	'getGlobalState',
	'jsonParse',
	'sleep',
	'tryToParseDateTime',
	'updateDisplayOptions',
];

/** A value that only the n8n-workflow of some supported n8n exports. */
const NEWER_VALUE = {
	selector:
		"ImportDeclaration[source.value='n8n-workflow'][importKind='value'] > " +
		`ImportSpecifier[importKind='value'][imported.name!=/^(${N8N_WORKFLOW_VALUES.join('|')})$/]`,
	message: 'Not every supported n8n exports this; try it in n8n 1.x, then add it to N8N_WORKFLOW_VALUES.',
};
const STATUS = '/^(statusCode|httpCode)$/';
/** The comparison of a status, or a regular expression that looks like one. */
const STATUS_COMPARISONS = [
	`BinaryExpression:has(> Identifier[name=${STATUS}])`,
	`BinaryExpression:has(> MemberExpression[property.name=${STATUS}])`,
	`SwitchStatement:has(> Identifier[name=${STATUS}])`,
	`SwitchStatement:has(> MemberExpression[property.name=${STATUS}])`,
	`CallExpression[callee.property.name=/^(test|includes|has|match)$/] Identifier[name=${STATUS}]`,
	'Literal[regex.pattern=/^\\W*[345](\\d\\d|[\\\\]d)/]',
	'MemberExpression[property.name=facts]',
	'ObjectPattern > Property[key.name=facts]',
].map((selector) => ({
	selector,
	message:
		'What a status means is decided in transport/errorMeaning.ts: ask a question of that file, or add one.',
}));
const FIELD_READERS = {
	group: ['**/jsonFields'],
	importNames: ['Fields', 'fieldEntries', 'normalizedName'],
	message: 'Read the fields of a record in service/, as event.ts does.',
};
const STATUS_READERS = {
	group: ['**/transport/*'],
	importNames: ['failureStatus'],
	message: 'Ask a question of transport/errorMeaning.ts, or add one.',
};

export default defineConfig(
	globalIgnores(['dist/', 'node_modules/', '.run/', 'coverage/']),
	{ files: ['**/*.ts'], extends: [typescript.configs.recommended] },
	{
		// Of the rules that need types, which take most of the time, the two that find tests that prove nothing.
		files: ['test/**/*.ts', 'scripts/**/*.ts'],
		rules: {
			'@typescript-eslint/no-floating-promises': 'error',
			'@typescript-eslint/no-misused-promises': 'error',
		},
	},
	{
		files: SHIPPED,
		extends: [typescript.configs.strictTypeChecked],
		rules: {
			'no-restricted-syntax': ['error', NEWER_VALUE, ...STATUS_COMPARISONS],
			'no-restricted-imports': ['error', { patterns: [FIELD_READERS, STATUS_READERS] }],
			// Many messages contain counts and sizes.
			'@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
		},
	},
	{
		// A record is read once, when its response is parsed.
		files: ['nodes/VideoHosting/service/**/*.ts'],
		rules: { 'no-restricted-imports': ['error', { patterns: [STATUS_READERS] }] },
	},
	{
		files: ['nodes/VideoHosting/transport/*.ts'],
		rules: {
			'no-restricted-syntax': ['error', NEWER_VALUE],
			'no-restricted-imports': ['error', { patterns: [FIELD_READERS] }],
		},
	},
	{
		files: ['nodes/VideoHosting/transport/{failure,response,signIn,secrets}.ts'],
		rules: { 'no-restricted-imports': 'off' },
	},
	{
		// The servers of files are not the service.
		files: ['nodes/VideoHosting/sources/**/*.ts'],
		rules: { 'no-restricted-syntax': ['error', NEWER_VALUE] },
	},
	{
		files: ['**/*.ts'],
		// One program for all: the product's own would be a second one with the same files.
		languageOptions: {
			parserOptions: { project: './test/tsconfig.json', tsconfigRootDir: import.meta.dirname },
		},
		linterOptions: { reportUnusedDisableDirectives: 'error', noInlineConfig: true },
	},
	{ files: [...SHIPPED, 'package.json'], extends: [n8nCommunityNodesPlugin.configs.recommended] },
	{
		files: ['package.json'],
		languageOptions: { parser: typescript.parser },
		plugins: { 'n8n-nodes-base': nodesBase },
		rules: nodesBase.configs.community.rules,
	},
	{
		files: ['credentials/**/*.ts'],
		plugins: { 'n8n-nodes-base': nodesBase },
		rules: {
			...nodesBase.configs.credentials.rules,
			// For n8n's own documentation only: a community package's is a web address, which is not camel case.
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		plugins: { 'n8n-nodes-base': nodesBase },
		rules: {
			...nodesBase.configs.nodes.rules,
			// They require the string 'main', where n8n's newer rule set requires NodeConnectionTypes.Main.
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
		},
	},
);
