import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Lists what the owner of the package has to fill in before the first release, and exits with 1 while something is
 * missing; see CONTRIBUTING.md, Release. The folder to check may be given; it is this repository by default.
 */
const folder = process.argv[2] ?? path.resolve(import.meta.dirname, '..');
const read = (file) => readFileSync(path.join(folder, file), 'utf8');
const { author, bugs, homepage, repository, version } = JSON.parse(read('package.json'));
const [, documentationUrl = ''] =
	/documentationUrl = '([^']*)'/.exec(read('credentials/VideoHostingApi.credentials.ts')) ?? [];

const textOf = (value) => (typeof value === 'object' ? Object.values(value ?? {}).join(' ') : (value ?? ''));
const isAddress = (value) => /^https:\/\//.test(value) && !value.includes('.example');

const checks = [
	[
		'"repository" in package.json: the public repository on GitHub, such as git+https://github.com/you/n8n-nodes-video-hosting.git',
		/github/.test(textOf(repository)),
	],
	['"homepage" in package.json: address of the README', isAddress(textOf(homepage))],
	['"bugs" in package.json: address for reports', isAddress(textOf(bugs?.url ?? bugs))],
	[
		'"author" in package.json: your name and email address',
		/@/.test(textOf(author)) && !textOf(author).includes('.example'),
	],
	[
		'documentationUrl in credentials/VideoHostingApi.credentials.ts: address of the README',
		isAddress(documentationUrl) && !documentationUrl.startsWith('https://docs.n8n.io/'),
	],
	...['README.md', ...readdirSync(path.join(folder, 'docs')).map((file) => `docs/${file}`)]
		.filter((file) => file.endsWith('.md'))
		.map((file) => [`${file}: remove "not published yet"`, !/not\s+published\s+yet/i.test(read(file))]),
	[
		`CHANGELOG.md: an entry for version ${version} with its date, such as "## ${version} – 2026-12-31"`,
		read('CHANGELOG.md')
			.split('\n')
			.some((line) => /^## (.+) – \d{4}-\d\d-\d\d$/.exec(line)?.[1] === version),
	],
];

const left = checks.filter(([, isDone]) => !isDone).map(([what]) => what);
if (left.length > 0) {
	process.stderr.write(`To do before the release:\n${left.map((what) => `- ${what}\n`).join('')}`);
	process.exit(1);
}
process.stdout.write('Nothing is left to fill in before the release.\n');
