const { execFileSync, spawn } = require('node:child_process');
const { readFileSync, writeFileSync } = require('node:fs');
const { copyFile, mkdir, mkdtemp, rm, writeFile } = require('node:fs/promises');
const { tmpdir } = require('node:os');
const path = require('node:path');

const esbuild = require('esbuild');
const { dest, parallel, series, src, watch } = require('gulp');

const packageJson = require('./package.json');
const { publishedReadme } = require('./scripts/publishedReadme');
const { thirdPartyNotices } = require('./scripts/thirdPartyNotices');

/** The files that package.json lists for n8n, below `dist`. Each is a stub of one class in the bundle that all share. */
const stubs = [...packageJson.n8n.credentials, ...packageJson.n8n.nodes].map((file) =>
	file.replace(/^dist\//, ''),
);
/** Next to `credentials` and `nodes`. */
const BUNDLE = 'videoHosting.js';
/** Where the build goes; `npm run dev` names the folder from which n8n loads the package. */
const DIST = process.env.VIDEO_HOSTING_DIST ?? 'dist';
const PACKED_FILE = 'n8n-nodes-video-hosting.tgz';
const descriptionFiles = 'nodes/**/*.{svg,json}';

async function clean() {
	await rm(DIST, { recursive: true, force: true });
}

/** A build that fails leaves no older package to install. */
async function removePackedFile() {
	await rm(PACKED_FILE, { force: true });
}

function typeCheck() {
	const tsc = path.join(path.dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
	const args = ['--project', '.', '--incremental', '--tsBuildInfoFile', '.run/build.tsbuildinfo'];
	return spawn(process.execPath, [tsc, ...args], { stdio: 'inherit' });
}

/** n8n expects in `Name.node.js` and `Name.credentials.js` a class called `Name`. */
const classOf = (stub) => path.basename(stub).split('.')[0];

/**
 * One bundle with everything in it: a community package may have no runtime dependencies, and what the package remembers of
 * uploads, creations and tokens is there once for all its nodes. n8n-workflow comes from n8n itself, crypto from Node (n8n's
 * rules allow it).
 */
async function bundle() {
	const contents = stubs.map((stub) => `export { ${classOf(stub)} } from './${stub.replace(/\.js$/, '')}';`);
	const { metafile } = await esbuild.build({
		stdin: { contents: contents.join('\n'), resolveDir: __dirname },
		outfile: path.join(DIST, BUNDLE),
		bundle: true,
		format: 'cjs',
		target: 'node20',
		external: ['n8n-workflow', 'crypto'],
		// The sources of tus-js-client's protocol. Tests of behaviour import its build for old browsers, which Node can require.
		alias: { 'tus-js-client/lib.es5/upload.js': 'tus-js-client/lib/upload.js' },
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
	for (const stub of stubs) {
		const file = path.join(DIST, stub);
		const shared = path.relative(path.dirname(file), path.join(DIST, BUNDLE)).split(path.sep).join('/');
		await mkdir(path.dirname(file), { recursive: true });
		await writeFile(file, `exports.${classOf(stub)} = require('${shared}').${classOf(stub)};\n`);
	}
	await writeFile('THIRD-PARTY-NOTICES', thirdPartyNotices(metafile));
}

function copyDescriptionFiles() {
	return src(descriptionFiles, { encoding: false }).pipe(dest(path.join(DIST, 'nodes')));
}

/**
 * The file to publish, or to install by hand: packed once for its list of files, and again with the README as published. Its name has
 * no version, so that the documented command always installs the newest one.
 */
async function packFile() {
	const folder = await mkdtemp(path.join(tmpdir(), 'n8n-nodes-video-hosting-pack-'));
	const pack = (...source) => {
		const args = ['pack', '--silent', '--pack-destination', folder, ...source];
		return path.join(folder, execFileSync('npm', args, { encoding: 'utf8' }).trim());
	};
	try {
		execFileSync('tar', ['-xzf', pack(), '-C', folder]);
		const readme = path.join(folder, 'package', 'README.md');
		writeFileSync(readme, publishedReadme(readFileSync(readme, 'utf8'), packageJson));
		await copyFile(pack(path.join(folder, 'package')), PACKED_FILE);
		console.log(`Packed ${packageJson.version} into ${PACKED_FILE}`);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

exports.build = series(clean, parallel(typeCheck, bundle, copyDescriptionFiles));
exports.watch = () => {
	watch(['nodes/**', 'credentials/**'], { ignoreInitial: false }, parallel(bundle, copyDescriptionFiles));
};
exports.pack = series(removePackedFile, exports.build, packFile);
