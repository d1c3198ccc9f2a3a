/**
 * The rooms from the top of the map in CONTRIBUTING.md to its bottom: a file imports only from its own room and those below it.
 * @type {string[]} regular expressions of paths
 */
const rooms = [
	'(credentials/|nodes/VideoHosting/[^/]+[.]node[.]ts$)',
	'nodes/VideoHosting/actions/',
	'nodes/VideoHosting/trigger/',
	'nodes/VideoHosting/methods/',
	'nodes/VideoHosting/upload/[^/]+$',
	'nodes/VideoHosting/upload/tus/',
	'nodes/VideoHosting/sources/',
	'nodes/VideoHosting/service/',
	'nodes/VideoHosting/transport/',
	'nodes/VideoHosting/parameters/',
	'nodes/VideoHosting/shared/',
].map((path) => `^${path}`);

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
	forbidden: [
		...rooms.slice(1).map((room, index) => ({
			name: `upward from ${room}`,
			severity: 'error',
			from: { path: room },
			to: { path: rooms.slice(0, index + 1) },
		})),
		{ name: 'circle', severity: 'error', from: {}, to: { circular: true } },
		{
			name: 'no room of the map',
			severity: 'error',
			from: {},
			to: { path: '^(nodes|credentials)/', pathNot: [...rooms, '[.]d[.]ts$'] },
		},
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		tsConfig: { fileName: 'tsconfig.json' },
		// Imports of types count, too: a reader follows them as well.
		tsPreCompilationDeps: true,
	},
};
