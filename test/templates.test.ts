import type { INode } from 'n8n-workflow';

import { clockAhead } from './execution/clock';
import { executeForJson } from './execution/executeNode';
import { service, serviceForEachTest } from './fakeService/serviceForEachTest';
import type { WorkflowJson } from './n8n/rest';
import { noteText, template, uploadAndSchedule } from './n8n/templates';
import { findAll, read } from './pages';

/** At most so many nodes, in the order of the files' names. */
const MOST_NODES = {
	'announce-live-events-in-slack': 3,
	'ask-an-ai-agent-about-live-events': 5,
	'collect-videos-from-emails': 2,
	'email-a-weekly-disk-usage-report': 4,
	'remind-the-team-before-an-event': 3,
	'schedule-live-events-from-a-calendar': 6,
	'upload-a-video-and-schedule-a-live-event': 4,
	'upload-new-videos-from-cloud-storage': 4,
};

/** Fields that n8n's own nodes return, as their outputs show and the __schema__ of n8n-nodes-base. Other nodes return what they receive. */
const FIELDS: Record<string, string[]> = {
	emailReadImap: ['subject'],
	googleCalendar: ['id', 'status', 'summary', 'start', 'start.dateTime'],
	googleDriveTrigger: ['id', 'name', 'mimeType'],
	html: ['table'],
	chatTrigger: ['chatInput'],
};

/** Fields that a node receives from those before it. */
function receivedBy(name: string, workflow: WorkflowJson): string[] {
	return workflow.nodes.flatMap((node) => {
		const outputs = workflow.connections[node.name]?.main ?? [];
		const output = outputs.findIndex((targets) => targets?.some((target) => target.node === name));
		return output < 0 ? [] : returnedBy(node, output, workflow);
	});
}

/** Fields that a node returns at one of its outputs. */
function returnedBy({ name, parameters, type }: INode, output: number, workflow: WorkflowJson): string[] {
	const received = FIELDS[type.replace(/.*\./, '')] ?? receivedBy(name, workflow);
	if (type.endsWith('.videoHostingTrigger')) return [...schemaFields('event/get'), 'minutesLeft'];
	if (!type.endsWith('.videoHosting')) return received;
	const { operation, resource } = parameters;
	return output === 0 ? schemaFields(`${String(resource)}/${String(operation)}`) : [...received, 'error'];
}

function schemaFields(operation: string): string[] {
	const schema = read(`nodes/VideoHosting/__schema__/v1.0.0/${operation}.json`);
	// Our own files; their test checks their structure.
	return Object.keys((JSON.parse(schema) as { properties: object }).properties);
}

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

	it('reads only fields that its nodes receive', () => {
		const unknown = nodes.flatMap(({ name, parameters }) => {
			const received = receivedBy(name, template(file));
			const read = findAll(JSON.stringify(parameters), /\$json\.([\w.]+)/g);
			return read.filter((field) => !received.includes(field)).map((field) => `${name}: ${field}`);
		});
		expect(unknown).toEqual([]);
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

describe('The first template', () => {
	serviceForEachTest();

	it.each([
		['put back', '2027-10-24T08:00:00Z', '2027-10-31 20:00:00'],
		['put forward', '2027-03-21T08:00:00Z', '2027-03-28 20:00:00'],
	])(
		'schedules the event at 20:00, also on the day when the clock is %s',
		async (_how, now, dateScheduled) => {
			const { parameters = {} } =
				template(uploadAndSchedule).nodes.find(({ name }) => name === 'Schedule Live Event') ?? {};
			const run = {
				service,
				parameters,
				items: [{ json: { fileName: 'my-video.avi' } }],
				timezone: 'Europe/Berlin',
			};
			const ahead = Date.parse(now) - Date.now();
			expect(await clockAhead(ahead, async () => await executeForJson(run))).toMatchObject([
				{ dateScheduled },
			]);
		},
	);
});
