const { spawn } = require('node:child_process');
const { rm, writeFile } = require('node:fs/promises');
const path = require('node:path');

const esbuild = require('esbuild');
const { dest, parallel, series, src, watch } = require('gulp');

const { n8n } = require('./package.json');
const { thirdPartyNotices } = require('./thirdPartyNotices');

/** The entry points: the files that package.json lists for n8n. */
const entryPoints = [...n8n.credentials, ...n8n.nodes].map((file) =>
	file.replace(/^dist\//, '').replace(/\.js$/, '.ts'),
);
const descriptionFiles = 'nodes/**/*.{svg,json}';

async function clean() {
	await rm('dist', { recursive: true, force: true });
}

function typeCheck() {
	const tsc = path.join(path.dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
	return spawn(process.execPath, [tsc, '--project', '.'], { stdio: 'inherit' });
}

/**
 * Each entry point becomes one file with everything in it: a community package may have no runtime dependencies.
 * n8n-workflow comes from n8n itself, crypto from Node (n8n's rules allow it).
 */
async function bundle() {
	const { metafile } = await esbuild.build({
		entryPoints,
		outdir: 'dist',
		outbase: '.',
		bundle: true,
		format: 'cjs',
		target: 'node20',
		external: ['n8n-workflow', 'crypto'],
		// The builds of libraries without Node.js I/O.
		platform: 'neutral',
		mainFields: ['browser', 'module', 'main'],
		conditions: ['browser'],
		// tus-js-client uses globals that n8n's rules reject: timers for retries of its own, a log, and the global object.
		inject: ['nodes/VideoHosting/upload/tus/timers.ts'],
		define: { global: 'undefined' },
		drop: ['console'],
		legalComments: 'inline',
		logLevel: 'warning',
		metafile: true,
	});
	await writeFile('THIRD-PARTY-NOTICES', thirdPartyNotices(metafile));
}

function copyDescriptionFiles() {
	return src(descriptionFiles, { encoding: false }).pipe(dest('dist/nodes'));
}

exports.build = series(clean, parallel(typeCheck, bundle, copyDescriptionFiles));
exports.watch = () => {
	watch(['nodes/**', 'credentials/**'], { ignoreInitial: false }, parallel(bundle, copyDescriptionFiles));
};
exports.default = exports.build;
