const { execFileSync, spawn } = require('node:child_process');
const { readFileSync, writeFileSync } = require('node:fs');
const { mkdtemp, rm, writeFile } = require('node:fs/promises');
const { tmpdir } = require('node:os');
const path = require('node:path');

const esbuild = require('esbuild');
const { dest, parallel, series, src, watch } = require('gulp');

const packageJson = require('./package.json');
const { publishedReadme } = require('./scripts/publishedReadme');
const { thirdPartyNotices } = require('./scripts/thirdPartyNotices');

/** The entry points: the files that package.json lists for n8n. */
const entryPoints = [...packageJson.n8n.credentials, ...packageJson.n8n.nodes].map((file) =>
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

/** The file to publish, or to install by hand: packed once for its list of files, and again with the README as published. */
async function packFile() {
	const folder = await mkdtemp(path.join(tmpdir(), 'n8n-nodes-video-hosting-pack-'));
	const npm = (...args) => execFileSync('npm', ['pack', '--silent', ...args], { encoding: 'utf8' }).trim();
	try {
		const tarball = path.join(folder, npm('--pack-destination', folder));
		execFileSync('tar', ['-xzf', tarball, '-C', folder]);
		const readme = path.join(folder, 'package', 'README.md');
		writeFileSync(readme, publishedReadme(readFileSync(readme, 'utf8'), packageJson));
		console.log(`Packed ${npm(path.join(folder, 'package'))}`);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

exports.build = series(clean, parallel(typeCheck, bundle, copyDescriptionFiles));
exports.watch = () => {
	watch(['nodes/**', 'credentials/**'], { ignoreInitial: false }, parallel(bundle, copyDescriptionFiles));
};
exports.pack = series(exports.build, packFile);
exports.default = exports.build;
