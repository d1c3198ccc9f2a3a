import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const repository = 'https://github.com/someone/video-nodes';
const ready = {
	'package.json': JSON.stringify({
		version: '1.2.3',
		author: 'Someone <someone@company.com>',
		...{ repository, homepage: repository, bugs: repository },
	}),
	'credentials/VideoHostingApi.credentials.ts': `documentationUrl = '${repository}#readme'`,
	'README.md': 'Install it.',
	'docs/installation.md': 'Install it.',
	'CHANGELOG.md': '## 1.2.3 – 2026-12-31\n',
};

/** What is left to do before the release, one line each. */
function leftToDo(changes: Partial<typeof ready>): string[] {
	const folder = mkdtempSync(join(tmpdir(), 'release-check-'));
	for (const [file, text] of Object.entries({ ...ready, ...changes })) {
		mkdirSync(dirname(join(folder, file)), { recursive: true });
		writeFileSync(join(folder, file), text);
	}
	const script = join(__dirname, '..', '..', 'scripts', 'releaseCheck.mjs');
	const { stderr, status } = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' });
	rmSync(folder, { recursive: true });
	const lines = stderr.split('\n').filter((line) => line.startsWith('- '));
	expect(status).toBe(lines.length > 0 ? 1 : 0);
	return lines;
}

it.each<[Partial<typeof ready>, RegExp]>([
	[{}, /^$/],
	[{ 'README.md': '**Not published yet.**' }, /README\.md/],
	[{ 'docs/installation.md': 'The package is not\npublished yet.' }, /docs\/installation\.md/],
	[{ 'CHANGELOG.md': '## 1.2.3 – unreleased\n' }, /CHANGELOG\.md/],
	[{ 'CHANGELOG.md': '## 1.2.2 – 2026-12-31\n' }, /CHANGELOG\.md/],
	[{ 'package.json': '{"version":"1.2.3"}' }, /"repository"/],
])('release:check names first what %j leaves to do', (changes, expected) => {
	expect(leftToDo(changes)[0] ?? '').toMatch(expected);
});
