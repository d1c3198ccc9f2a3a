import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { analyzePackage, SOURCE_FILE_PATTERNS } from '@n8n/scan-community-package/scanner/scanner.mjs';

/**
 * Runs n8n's own scanner over the sources and over the packed tarball, as n8n does with a published package, and checks
 * that the tarball holds what users need and nothing else, in code that a reviewer can read. Wants a built `dist`. Exits with 1
 * on any error.
 */
const SHIPPED =
	/^(package\.json|README\.md|LICENSE|CHANGELOG\.md|THIRD-PARTY-NOTICES|dist\/.+\.(js|json|svg))$/;
const REQUIRED = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'THIRD-PARTY-NOTICES'];
/** Unpacked, without minifying. */
const LARGEST = 420_000;

const repository = path.resolve(import.meta.dirname, '..');
const scratch = mkdtempSync(path.join(tmpdir(), 'video-hosting-scan-'));

function report(title, problems) {
	process.stdout.write(`${problems === '' ? 'passed' : 'FAILED'}: ${title}\n${problems && `${problems}\n`}`);
	if (problems !== '') process.exitCode = 1;
}

try {
	const npmPack = ['pack', '--json', '--silent', '--pack-destination', scratch];
	const [packed] = JSON.parse(execFileSync('npm', npmPack, { cwd: repository, encoding: 'utf8' }));
	execFileSync('tar', ['-xzf', path.join(scratch, packed.filename), '-C', scratch]);

	const files = packed.files.map((file) => file.path);
	const wrong = [
		...files.filter((file) => !SHIPPED.test(file)).map((file) => `surplus: ${file}`),
		...REQUIRED.filter((file) => !files.includes(file)).map((file) => `missing: ${file}`),
		...(packed.unpackedSize > LARGEST ? [`larger than ${LARGEST} bytes`] : []),
	];
	report(`files of the tarball (${packed.entryCount}, ${packed.unpackedSize} bytes)`, wrong.join('\n'));
	for (const [title, folder, patterns] of [
		["n8n's scanner, sources", repository, SOURCE_FILE_PATTERNS],
		["n8n's scanner, packed tarball", path.join(scratch, 'package'), ['**/*.js', 'package.json']],
	]) {
		const { passed, details, message } = await analyzePackage(folder, patterns);
		report(title, passed ? '' : (details ?? message ?? 'no reason given'));
	}
} finally {
	rmSync(scratch, { recursive: true, force: true });
}
