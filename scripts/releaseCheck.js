const { readdirSync, readFileSync } = require('node:fs');
const path = require('node:path');

/** Prints what the owner of the package has to fill in before the first release, one line each (CONTRIBUTING.md, Release). */
const root = path.join(__dirname, '..');
const read = (file) => readFileSync(path.join(root, file), 'utf8');
const docs = readdirSync(path.join(root, 'docs')).filter((file) => file.endsWith('.md'));
const pages = ['README.md', ...docs.map((file) => `docs/${file}`)];

const { author, bugs, homepage, repository, version } = JSON.parse(read('package.json'));
const [, documentationUrl] =
	/documentationUrl = '([^']*)'/.exec(read('credentials/VideoHostingApi.credentials.ts')) ?? [];

const checks = [
	[
		'"repository" in package.json: the public repository on GitHub, such as git+https://github.com/you/n8n-nodes-video-hosting.git',
		/github/.test(JSON.stringify(repository)),
	],
	['"bugs" in package.json: address for reports', bugs !== undefined],
	[
		'"homepage" in package.json: address of the README, to which the Docs links of n8n lead',
		!homepage.includes('.example'),
	],
	['"author" in package.json: your name and email address', !JSON.stringify(author).includes('.example')],
	[
		'documentationUrl in credentials/VideoHostingApi.credentials.ts: the address in "homepage"',
		documentationUrl === homepage,
	],
	...pages.map((page) => [`${page}: remove "not published yet"`, !/not\s+published\s+yet/i.test(read(page))]),
	[
		`CHANGELOG.md: an entry for version ${version} with its date, such as "## ${version} – 2026-12-31"`,
		read('CHANGELOG.md')
			.split('\n')
			.some((line) => /^## (.+) – \d{4}-\d\d-\d\d$/.exec(line)?.[1] === version),
	],
];
const left = checks.filter(([, isDone]) => !isDone);
for (const [what] of left) console.error(`To do before the release: ${what}`);
if (left.length === 0) console.log('Nothing is left to fill in before the release.');
process.exitCode = left.length > 0 ? 1 : 0;
