import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { noteText } from './n8n/exampleWorkflows';
import type { WorkflowJson } from './n8n/rest';

const folder = join(__dirname, '..', 'workflows');
const templates = readdirSync(folder).map((file): WorkflowJson =>
	JSON.parse(readFileSync(join(folder, file), 'utf8')),
);

/** n8n's number for white; a note without a color is yellow. */
const WHITE = 7;

describe.each(templates)('$name', ({ nodes }) => {
	const [overview, ...sections] = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');

	it('has an overview of 100 to 300 words: how it works, how to set it up, what it does not do', () => {
		const text = overview ? noteText(overview) : '';
		expect(overview?.parameters.color).toBeUndefined();
		const words = text.split(/\s+/).filter((word) => /\w/.test(word));
		expect(words.length).toBeGreaterThanOrEqual(100);
		expect(words.length).toBeLessThanOrEqual(300);
		expect(text.match(/^#+ .+$/gm)?.slice(1)).toEqual(['### How it works', '### Set up']);
		expect(text).toContain('Self-hosted n8n: install the community node **n8n-nodes-video-hosting** first');
		expect(text).toContain('**It does not**');
	});

	it('has white notes for its sections, in their order', () => {
		expect(sections.map(({ parameters }) => parameters.color)).toEqual(sections.map(() => WHITE));
		expect(sections.map((note) => /^## (\d)\. /.exec(noteText(note))?.[1])).toEqual(
			sections.map((_note, index) => `${index + 1}`),
		);
	});

	it('names only nodes that it has', () => {
		const names = nodes.map(({ name }) => name);
		const steps = (overview ? noteText(overview) : '').split('### Set up')[1] ?? '';
		const named = [...steps.matchAll(/in \*([^*]+)\*|, \*([^*]+)\* and \*([^*]+)\*/g)].flatMap((match) =>
			match.slice(1).filter((name) => name !== undefined),
		);
		expect(names).toEqual(expect.arrayContaining(named));
	});

	it('leaves the plan to the credential', () => {
		expect(JSON.stringify(nodes)).not.toContain('"planId"');
	});
});
