import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';

import { analyzePackage, SOURCE_FILE_PATTERNS } from '@n8n/scan-community-package/scanner/scanner.mjs';

/**
 * Runs n8n's own scanner over the sources and over the packed tarball, as n8n does with a published package, and checks
 * that the tarball holds what users need and nothing else. Wants a built `dist`. Exits with 1 on any error.
 */
const SHIPPED = /^(package\.json|README\.md|LICENSE|CHANGELOG\.md|dist\/.+\.(js|json|svg))$/;
const REQUIRED = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md'];

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
		`the tarball holds dist, README, LICENSE and CHANGELOG (${packed.entryCount} files, ${packed.unpackedSize} bytes)`,
		surplus.length + missing.length > 0
			? `surplus: ${surplus.join(', ')}; missing: ${missing.join(', ')}`
			: undefined,
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
