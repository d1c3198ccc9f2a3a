import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { pages as benchmarkPages, readResults } from './bench/results';
import { headingAnchors } from './headingAnchors';
import { VideoHosting } from '../nodes/VideoHosting/VideoHosting.node';

const repository = join(__dirname, '..');
const readme = readFileSync(join(repository, 'README.md'), 'utf8');

/** A page, or one section of it with what is below its heading. */
function textOf(file: string, section?: string): string {
	const page = readFileSync(join(repository, file), 'utf8');
	if (section === undefined) return page;
	const [, level = '', text = ''] = new RegExp(`\n(##+) ${section}\n([^]*)`).exec(page) ?? [];
	return text.split(new RegExp(`\n#{2,${level.length}} `))[0] ?? '';
}

/** Cells of the table rows in a text, each without its Markdown. */
function tableRows(text: string): string[][] {
	return text
		.split('\n')
		.filter((line) => line.startsWith('|') && !/^\|[ |-]+\|$/.test(line))
		.map((line) =>
			line
				.split('|')
				.slice(1, -1)
				.map((cell) => cell.trim().replaceAll('**', '')),
		);
}

it('has at most 1,300 words, as wc -w counts them, without the table of operations', () => {
	const withoutTable = readme.replace(/^\| Resource[^]*?\n\n/m, '');
	expect(tableRows(withoutTable).length).toBeLessThan(tableRows(readme).length - 20);
	const words = withoutTable.trim().split(/\s+/);
	expect(words.length).toBeGreaterThan(500);
	expect(words.length).toBeLessThanOrEqual(1_300);
});

it('has the sections that n8n asks for, in its order', () => {
	const sections = [...readme.matchAll(/^## (.+)$/gm)].map(([, section]) => section);
	expect(sections).toEqual([
		...[
			'Installation',
			'Credentials',
			'Operations',
			'Compatibility',
			'Usage',
			'Resources',
			'Version history',
		],
		'Development',
	]);
});

it('quotes the figures of docs/benchmarks.json', () => {
	for (const [file, text] of Object.entries(benchmarkPages(readResults()))) {
		expect(textOf(file)).toBe(text);
	}
});

it('lists every operation by its name in the panel, and no other', () => {
	const lists = new VideoHosting().description.properties.filter(({ name }) => name === 'operation');
	const panel = lists.map(({ options = [] }) => options.map(({ name }) => name));
	let resource = -1;
	const listed: string[][] = [];
	const [, ...rows] = tableRows(textOf('README.md', 'Operations'));
	for (const [name = '', operation = ''] of rows) {
		if (name !== '') listed[++resource] = [];
		listed[resource]?.push(operation);
	}
	expect(listed).toEqual(panel);
});

it('lists every template by the name it is imported with, which is also the name of its file', () => {
	const listed = textOf('README.md', 'Templates').match(/\[[^\]]+\]\(workflows\/[^)]+\)/g) ?? [];
	const files = readdirSync(join(repository, 'workflows')).filter((file) => file.endsWith('.json'));
	const links = files.map((file) => {
		const { name }: { name: string } = JSON.parse(readFileSync(join(repository, 'workflows', file), 'utf8'));
		return `[${name}](workflows/${name.toLowerCase().replaceAll(' ', '-')}.json)`;
	});
	expect([...listed].sort()).toEqual(links.sort());
});

/** The messages in the first column of a text's tables. */
function messagesIn(text: string): string[] {
	return tableRows(text).flatMap(([cell = '']) => (/^`.+`$/.test(cell) ? [cell.slice(1, -1)] : []));
}

it('explains only messages that the code or the service has', () => {
	const sources = ['nodes', 'credentials']
		.flatMap((folder) =>
			readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
				join(repository, folder, file),
			),
		)
		.filter((file) => file.endsWith('.ts'))
		.map((file) => readFileSync(file, 'utf8'));
	/** docs/api-reference.md#errors */
	const serviceMessages = ['Too many simultaneous uploads, please send one file at a time'];
	const messages = messagesIn(textOf('docs/troubleshooting.md'));

	expect(messages.length).toBeGreaterThan(15);
	const unknown = messages.filter((message) => {
		const parts = message.split('…').map((part) => part.trim());
		return (
			!serviceMessages.includes(message) &&
			!sources.some((source) => parts.every((part) => source.includes(part)))
		);
	});
	expect(unknown).toEqual([]);
});

it('shows the five most frequent messages in the README, and explains them on the page of all messages as well', () => {
	const section = textOf('README.md', 'Troubleshooting');
	const frequent = [...section.matchAll(/^- `(.+?)`:/gm)].map(([, message]) => message);
	expect(frequent).toHaveLength(5);
	expect(messagesIn(textOf('docs/troubleshooting.md'))).toEqual(expect.arrayContaining(frequent));
});

/** Display names in the collections of optional fields, of one resource. */
function optionsOf(resource: string): string[] {
	const names = new VideoHosting().description.properties
		.filter(
			({ type, displayOptions }) => type === 'collection' && displayOptions?.show?.resource?.[0] === resource,
		)
		.flatMap(({ options = [] }) =>
			options.map((option) => ('displayName' in option ? option.displayName : '')),
		);
	return [...new Set(names)].sort();
}

it('explains every option of an upload on its page', () => {
	const explained = tableRows(textOf('docs/uploads.md', 'Options')).map(([cell = '']) => cell);
	expect(explained.slice(1).sort()).toEqual(optionsOf('upload'));
});

it.each([
	['event', 'Events', 6],
	['folder', 'Folders', 2],
	['video', 'Videos', 5],
])('explains every option of the resource %s', (resource, section, atLeast) => {
	// Plan ID, which most operations have, is explained once before the sections.
	const [introduction = ''] = textOf('docs/operations.md').split('\n## ');
	const text = `${introduction}${textOf('docs/operations.md', section)}`;
	const options = optionsOf(resource);
	expect(options.length).toBeGreaterThanOrEqual(atLeast);
	expect(options.filter((name) => !text.includes(`**${name}**`))).toEqual([]);
});

it('has a map of the repository that names only what exists, and every folder of the nodes', () => {
	const [, map = ''] = textOf('CONTRIBUTING.md', 'Where things are').split('```');
	const entries = ['credentials', 'nodes', 'test', 'docs', 'workflows'].flatMap((folder) =>
		readdirSync(join(repository, folder), { recursive: true, withFileTypes: true }),
	);
	const files = new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => name));
	const folders = new Set(entries.filter((entry) => entry.isDirectory()).map(({ name }) => name));
	const named = [...map.matchAll(/([\w.-]+\.ts)\b|\b(\w+)\/(?=\s|$)/gm)];
	const missing = named.filter(([, file, folder]) => {
		if (file !== undefined) return !files.has(file);
		return folder !== undefined && !folders.has(folder) && !existsSync(join(repository, folder));
	});
	expect(missing.map(([text]) => text)).toEqual([]);

	const nodes = join(repository, 'nodes', 'VideoHosting');
	const unnamed = readdirSync(nodes, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isDirectory() && !entry.parentPath.includes('__schema__'))
		.filter(({ name }) => !map.includes(`${name}/`));
	expect(unnamed.map(({ name }) => name)).toEqual([]);
});

const pages = [
	'README.md',
	'CONTRIBUTING.md',
	'CHANGELOG.md',
	'test/fakeService/README.md',
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
	const text = pages.map((file) => textOf(file)).join('\n');
	const named = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, script = '']) => script);
	expect(named.filter((script) => scripts[script] === undefined)).toEqual([]);
});
