import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { headingAnchors } from './headingAnchors';
import { operations } from './fakeService/operations';

const repository = join(__dirname, '..');
const pages = ['api-reference.md', 'n8n-internals.md'];

/** The sources whose comments may cite a page, as path and text. */
function sources(): Array<[string, string]> {
	return ['nodes', 'credentials', 'test']
		.flatMap((folder) =>
			readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
				join(folder, file),
			),
		)
		.filter((file) => /\.(ts|md|mjs|js)$/.test(file))
		.map((file) => [file, readFileSync(join(repository, file), 'utf8')]);
}

it('cites only headings that exist', () => {
	const anchors = new Map(
		pages.map((page) => [page, headingAnchors(readFileSync(join(repository, 'docs', page), 'utf8'))]),
	);
	const cited = sources().flatMap(([file, text]) =>
		[...text.matchAll(/docs\/([\w-]+\.md)(?:#([\w-]+))?/g)].map(([, page = '', anchor]) => ({
			file,
			page,
			anchor,
		})),
	);
	expect(cited.length).toBeGreaterThan(20);
	const broken = cited.filter(({ page, anchor }) => {
		if (anchor === undefined) return !existsSync(join(repository, 'docs', page));
		return !anchors.get(page)?.includes(anchor);
	});
	expect(broken).toEqual([]);
});

it('documents every operation that the fake service has', () => {
	const reference = readFileSync(join(repository, 'docs', 'api-reference.md'), 'utf8');
	const missing = Object.values(operations)
		.map(({ methods: [method], path }) => `${method} ${path}`)
		.filter((request) => !new RegExp(`\`${request}[\`?]`).test(reference))
		.map((request) => `docs/api-reference.md: add a section with \`${request}\``);
	expect(missing).toEqual([]);
});
