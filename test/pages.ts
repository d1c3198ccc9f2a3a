import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const repository = join(__dirname, '..');

/** The text of a file by its path below the repository. */
export const read = (file: string) => readFileSync(join(repository, file), 'utf8');

/** One section of a page, with what is below its heading. */
export function sectionOf(file: string, title: string): string {
	const [, level = '', text = ''] = new RegExp(`\n(##+) ${title}\n([^]*)`).exec(read(file)) ?? [];
	return text.split(new RegExp(`\n#{2,${level.length}} `))[0] ?? '';
}

/** What the group of a pattern matches in a text, each time. */
export const findAll = (text: string, pattern: RegExp) =>
	[...text.matchAll(pattern)].map(([, found = '']) => found);

/** The targets of the links and pictures in a text. */
export const targetsIn = (text: string) =>
	[...text.matchAll(/\]\(([^)\s]+)\)|src(?:set)?="([^"]+)"/g)].map((match) => match[1] ?? match[2] ?? '');
