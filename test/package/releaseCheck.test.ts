import { leftToDo } from '../../scripts/releaseCheck';

const repository = 'https://github.com/someone/video-nodes';
const ready: Record<string, string> = {
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

it.each<[Record<string, string>, RegExp]>([
	[{}, /^$/],
	[{ 'README.md': '**Not published yet.**' }, /README\.md/],
	[{ 'docs/installation.md': 'The package is not\npublished yet.' }, /docs\/installation\.md/],
	[{ 'CHANGELOG.md': '## 1.2.3 – unreleased\n' }, /CHANGELOG\.md/],
	[{ 'CHANGELOG.md': '## 1.2.2 – 2026-12-31\n' }, /CHANGELOG\.md/],
	[{ 'package.json': '{"version":"1.2.3"}' }, /"repository"/],
])('release:check names first what %j leaves to do', (changes, expected) => {
	const files = { ...ready, ...changes };
	const left = leftToDo(['README.md', 'docs/installation.md'], (file) => files[file] ?? '');
	expect(left[0] ?? '').toMatch(expected);
});
