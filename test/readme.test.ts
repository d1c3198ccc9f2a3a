import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { headingAnchors } from './headingAnchors';
import { VideoHosting } from '../nodes/VideoHosting/VideoHosting.node';

const repository = join(__dirname, '..');
const readme = readFileSync(join(repository, 'README.md'), 'utf8');

/** Cells of the table rows in a section, each without its Markdown. */
function tableOf(section: string): string[][] {
	const [, text = ''] = readme.split(`\n## ${section}\n`);
	const [ownText = ''] = text.split('\n## ');
	return ownText
		.split('\n')
		.filter((line) => line.startsWith('|'))
		.slice(2)
		.map((line) =>
			line
				.split('|')
				.slice(1, -1)
				.map((cell) => cell.trim().replaceAll('**', '')),
		);
}

it('lists every operation by its name in the panel, and no other', () => {
	const lists = new VideoHosting().description.properties.filter(({ name }) => name === 'operation');
	const panel = lists.map(({ options = [] }) => options.map(({ name }) => name));
	let resource = -1;
	const listed: string[][] = [];
	for (const [name = '', operation = ''] of tableOf('Operations')) {
		if (name !== '') listed[++resource] = [];
		listed[resource]?.push(operation);
	}
	expect(listed).toEqual(panel);
});

it('lists every example workflow by the name it is imported with', () => {
	const listed = tableOf('Example workflows').map(([cell = '']) => cell);
	const files = readdirSync(join(repository, 'workflows')).filter((file) => file.endsWith('.json'));
	const links = files.map((file) => {
		const { name }: { name: string } = JSON.parse(readFileSync(join(repository, 'workflows', file), 'utf8'));
		return `[${name}](workflows/${file})`;
	});
	expect(listed.sort()).toEqual(links.sort());
});

it('explains only messages that the code says, or the service itself', () => {
	const sources = ['nodes', 'credentials']
		.flatMap((folder) =>
			readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
				join(repository, folder, file),
			),
		)
		.filter((file) => file.endsWith('.ts'))
		.map((file) => readFileSync(file, 'utf8'));
	/** docs/api-reference.md#errors */
	const serviceWords = ['Too many simultaneous uploads, please send one file at a time'];
	const messages = tableOf('Troubleshooting').map(([cell = '']) => cell.replaceAll('`', ''));

	expect(messages.length).toBeGreaterThan(10);
	const unknown = messages.filter((message) => {
		const parts = message.split(' … ');
		return (
			!serviceWords.includes(message) &&
			!sources.some((source) => parts.every((part) => source.includes(part)))
		);
	});
	expect(unknown).toEqual([]);
});

const pages = [
	'README.md',
	'CONTRIBUTING.md',
	'CHANGELOG.md',
	'test/service/README.md',
	...readdirSync(join(repository, 'docs'))
		.filter((file) => file.endsWith('.md'))
		.map((file) => `docs/${file}`),
];

it.each(pages)('has no link in %s that leads nowhere', (file) => {
	const text = readFileSync(join(repository, file), 'utf8');
	const links = [...text.matchAll(/\]\(([^)\s]+)\)|src(?:set)?="([^"]+)"/g)].map(
		(match) => match[1] ?? match[2] ?? '',
	);
	const broken = links.filter((link) => {
		if (/^https?:/.test(link)) return false;
		const [path = '', heading] = link.split('#');
		const target = path === '' ? join(repository, file) : join(repository, dirname(file), path);
		return (
			!existsSync(target) ||
			(heading !== undefined && !headingAnchors(readFileSync(target, 'utf8')).includes(heading))
		);
	});
	expect(broken).toEqual([]);
});

it('names only npm scripts that there are', () => {
	const { scripts }: { scripts: Record<string, string> } = JSON.parse(
		readFileSync(join(repository, 'package.json'), 'utf8'),
	);
	const text = ['README.md', 'CONTRIBUTING.md']
		.map((file) => readFileSync(join(repository, file), 'utf8'))
		.join('\n');
	const named = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, script = '']) => script);
	expect(named.filter((script) => scripts[script] === undefined)).toEqual([]);
});
