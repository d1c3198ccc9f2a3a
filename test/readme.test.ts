import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { operations } from './fakeService/operations';
import { template, templateNames } from './n8n/templates';
import { findAll, read, repository, sectionOf, targetsIn } from './pages';

const pages = [
	...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'test/fakeService/README.md'],
	...filesIn('docs').filter((file) => file.endsWith('.md')),
];

/** All files below a folder, as paths below the repository. */
function filesIn(folder: string): string[] {
	return readdirSync(join(repository, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name).slice(repository.length + 1));
}

/** The anchors that GitHub and npm generate for the headings of a page. */
function headingAnchors(file: string): string[] {
	const titles = findAll(read(file).toLowerCase(), /^#+ (.+)$/gm);
	return titles.map((title) => title.replace(/[^\w\s-]/g, '').replace(/\s/g, '-'));
}

/** Whether a link or citation, as seen from a file, leads to no file or no heading. */
function isBroken(link: string, file: string): boolean {
	const [path = '', heading] = link.split('#');
	const target = path === '' ? file : join(dirname(file), path);
	if (!existsSync(join(repository, target))) return true;
	return heading !== undefined && !headingAnchors(target).includes(heading);
}

it('README.md lists every template by the name it is imported with, which is also the name of its file', () => {
	const names = templateNames().map((file) => template(file).name);
	const links = names.map((name) => `[${name}](workflows/${name.toLowerCase().replaceAll(' ', '-')}.json)`);
	const listed = sectionOf('README.md', 'Templates').match(/\[[^\]]+\]\(workflows\/[^)]+\)/g) ?? [];
	expect([...listed].sort()).toEqual(links.sort());
});

describe('The pages', () => {
	it.each(pages)('have no link in %s that leads nowhere', (file) => {
		const links = targetsIn(read(file)).filter((link) => !/^https?:/.test(link));
		expect(links.filter((link) => isBroken(link, file))).toEqual([]);
	});

	it('have every heading that a comment cites', () => {
		const files = ['nodes', 'credentials', 'scripts', 'test'].flatMap(filesIn);
		const cited = files
			.filter((file) => /\.(ts|md|mjs|js)$/.test(file))
			.flatMap((file) => read(file).match(/docs\/[\w-]+\.md(#[\w-]+)?/g) ?? []);
		expect(cited.length).toBeGreaterThan(20);
		expect(cited.filter((link) => isBroken(link, ''))).toEqual([]);
	});

	it('document every operation that the fake service has', () => {
		const reference = read('docs/api-reference.md');
		const missing = Object.values(operations)
			.map(({ methods: [method], path }) => `${method} ${path}`)
			.filter((request) => !new RegExp(`\`${request}[\`?]`).test(reference))
			.map((request) => `docs/api-reference.md: add a section with \`${request}\``);
		expect(missing).toEqual([]);
	});

	it('quote only messages that the code or the service has', () => {
		const sources = [...filesIn('nodes'), ...filesIn('credentials'), 'docs/api-reference.md'];
		const texts = sources.map((file) => read(file).toLowerCase());
		const page = read('docs/troubleshooting.md').split('\n## Messages')[1] ?? '';
		const messages = findAll(page.toLowerCase(), /^(?:\| |- )`(.+?)`/gm);
		expect(messages.length).toBeGreaterThan(10);
		expect(messages.filter((message) => !texts.some((text) => text.includes(message)))).toEqual([]);
	});

	it('have a map of the repository with every room, and name only tests that there are', () => {
		const map = sectionOf('CONTRIBUTING.md', 'Where things are');
		const rooms = readdirSync(join(repository, 'nodes', 'VideoHosting'), { withFileTypes: true });
		const missing = rooms.filter((entry) => entry.isDirectory() && !map.includes(`${entry.name}/ `));
		expect(missing.map(({ name }) => name)).toEqual([]);

		const tests = read('CONTRIBUTING.md').match(/test\/[\w/]+\.(slow\.|model\.)*test\.ts/g) ?? [];
		expect(tests.length).toBeGreaterThan(15);
		expect(tests.filter((file) => !existsSync(join(repository, file)))).toEqual([]);
	});
});
