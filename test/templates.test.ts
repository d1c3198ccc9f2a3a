import type { INodeParameters } from 'n8n-workflow';

import { run } from './actions/run';
import { service, serviceForEachTest } from './fakeService/serviceForEachTest';
import { noteText, template, templateNames } from './n8n/templates';
import { findAll } from './pages';

serviceForEachTest();

describe.each(templateNames().map(template))('$name', ({ nodes }) => {
	const [overview, ...sections] = nodes
		.filter(({ type }) => type === 'n8n-nodes-base.stickyNote')
		.map((note) => noteText(note));

	it('says how it works, how to set it up and test it, and what it does not do', () => {
		expect(overview?.match(/^#+ .+$/gm)?.slice(1)).toEqual(['### How it works', '### Set up']);
		const install = 'Self-hosted n8n: install the community node **n8n-nodes-video-hosting** first';
		expect(overview).toContain(install);
		expect(overview).toContain('**It does not**');
		expect(overview).toMatch(/^\d\. \*\*Test\*\*: /m);
	});

	it('has notes for its sections, in their order', () => {
		expect(sections.map((text) => /^## (\d)\. /.exec(text)?.[1])).toEqual(
			sections.map((_text, index) => `${index + 1}`),
		);
	});

	it('names only nodes that it has, and leaves the plan to the credential', () => {
		const names = nodes.map(({ name }) => name);
		const steps = overview?.split('### Set up')[1] ?? '';
		const named = findAll(steps, /(?:in|,|and|execute) \*([^*]+)\*(?!\*)/g);
		expect(names).toEqual(expect.arrayContaining(named));
		expect(JSON.stringify(nodes)).not.toContain('"planId"');
	});
});

it.each(['title', 'event_title', 'name'])(
	'An event that ended keeps its title after the prefix where records call it %s',
	async (field) => {
		const { nodes } = template('announce-live-events-in-slack-and-organize-their-recordings');
		const node = nodes.find(({ name }) => name === 'Mark Event as Ended');
		const [event] = service.seedEvents([{ title: 'Town hall' }]);
		const items = [{ json: { event_hash: event?.hash, [field]: 'Town hall' } }];
		await run(node?.parameters as INodeParameters, { items }); // of a node of this package
		expect(service.state.events).toMatchObject([{ title: 'Ended: Town hall' }]);
	},
);
