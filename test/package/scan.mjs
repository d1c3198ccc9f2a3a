import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';

import { analyzePackage, SOURCE_FILE_PATTERNS } from '@n8n/scan-community-package/scanner/scanner.mjs';

/**
 * Runs n8n's own scanner over the sources and over the packed tarball, as n8n does with a published package, and checks
 * that the tarball holds what users need and nothing else. Wants a built `dist`. Exits with 1 on any error.
 */
const SHIPPED =
	/^(package\.json|README\.md|LICENSE|CHANGELOG\.md|THIRD-PARTY-NOTICES|dist\/.+\.(js|json|svg))$/;
const REQUIRED = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'THIRD-PARTY-NOTICES'];

const repository = path.resolve(
	import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname),
	'../..',
);
const scratch = mkdtempSync(path.join(tmpdir(), 'video-hosting-scan-'));
let failed = false;

function report(title, problem) {
	failed ||= problem !== undefined;
	process.stdout.write(
		`${problem === undefined ? 'passed' : 'FAILED'}: ${title}\n${problem ? `${problem}\n` : ''}`,
	);
}

/** Packages whose code is in the files, by the comments that esbuild writes above each module. */
function bundledPackages(files) {
	const modules = files.flatMap((file) => [
		...readFileSync(file, 'utf8').matchAll(/^\s*\/\/ (?:\S*\/)?node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\//gm),
	]);
	return [...new Set(modules.map(([, name]) => name))].sort();
}

try {
	const [packed] = JSON.parse(
		execFileSync('npm', ['pack', '--json', '--silent', '--pack-destination', scratch], {
			cwd: repository,
			encoding: 'utf8',
		}),
	);
	const files = packed.files.map((file) => file.path);
	const surplus = files.filter((file) => !SHIPPED.test(file));
	const missing = REQUIRED.filter((file) => !files.includes(file));
	const unpacked = path.join(scratch, 'package');
	mkdirSync(unpacked);
	execFileSync('tar', ['-xzf', path.join(scratch, packed.filename), '-C', unpacked, '--strip-components=1']);

	report(
		`the tarball contains dist, README, LICENSE, CHANGELOG and THIRD-PARTY-NOTICES (${packed.entryCount} files, ${packed.unpackedSize} bytes)`,
		surplus.length + missing.length > 0
			? `surplus: ${surplus.join(', ')}; missing: ${missing.join(', ')}`
			: undefined,
	);
	const bundled = bundledPackages(
		files.filter((file) => file.endsWith('.js')).map((file) => path.join(unpacked, file)),
	);
	const notices = missing.includes('THIRD-PARTY-NOTICES')
		? ''
		: readFileSync(path.join(unpacked, 'THIRD-PARTY-NOTICES'), 'utf8');
	const unnamed = bundled.filter((name) => !notices.includes(`\n${name} `));
	report(
		`THIRD-PARTY-NOTICES names what is bundled: ${bundled.join(', ')}`,
		bundled.length === 0 || unnamed.length > 0 ? `without a notice: ${unnamed.join(', ')}` : undefined,
	);
	for (const [title, folder, patterns] of [
		["n8n's scanner, sources", repository, SOURCE_FILE_PATTERNS],
		["n8n's scanner, packed tarball", unpacked, ['**/*.js', 'package.json']],
	]) {
		const result = await analyzePackage(folder, patterns);
		report(title, result.passed ? undefined : (result.details ?? result.message));
	}
} finally {
	rmSync(scratch, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;
