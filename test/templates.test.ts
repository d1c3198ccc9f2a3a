import { noteText, template } from './n8n/templates';
import { findAll } from './pages';

/** At most so many nodes, in the order of the files' names. */
const MOST_NODES = {
	'announce-live-events-in-slack': 3,
	'ask-an-ai-agent-about-live-events': 5,
	'collect-videos-from-emails': 2,
	'email-a-weekly-disk-usage-report': 4,
	'remind-the-team-before-an-event': 3,
	'upload-a-video-and-schedule-a-live-event': 4,
	'upload-new-videos-from-cloud-storage': 4,
};

describe.each(Object.entries(MOST_NODES))('The template %s', (file, mostNodes) => {
	const all = template(file).nodes;
	const nodes = all.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');
	const notes = all
		.filter((node) => !nodes.includes(node))
		.map(noteText)
		.join('\n');

	it(`has at most ${mostNodes} nodes, and leaves the plan to the credential`, () => {
		expect(nodes.length).toBeLessThanOrEqual(mostNodes);
		expect(JSON.stringify(nodes)).not.toContain('"planId"');
	});

	it('has no expression of more than 60 characters, but for those that a model fills in', () => {
		const texts = findAll(JSON.stringify(nodes), /"=((?:[^"\\]|\\.)*)"/g);
		expect(texts.filter((text) => text.length > 60 && !text.includes('$fromAI('))).toEqual([]);
	});

	it('says in at most 120 words what it does, and how to set it up and test it', () => {
		expect(notes.split(/\s+/).filter((word) => /\w/.test(word)).length).toBeLessThanOrEqual(120);
		expect(notes).toContain('Self-hosted n8n: install the community node **n8n-nodes-video-hosting** first.');
		expect(notes).toMatch(/### Set up\n\n1\. [^]*^\d\. \*\*Test\*\*: /m);
	});

	it('names only nodes that it has', () => {
		const named = findAll(notes.split('### Set up')[1] ?? '', /in \*([A-Z][^*]+)\*(?!\*)/g);
		expect(nodes.map(({ name }) => name)).toEqual(expect.arrayContaining(named));
	});
});
