import { Editor, launchBrowser } from '../editor/editor';
import type { RunningService } from '../fakeService';
import { credentialFor, placeFor } from '../n8n/place';
import type { StoredCredential } from '../n8n/rest';
import { noOperation, upload, videoHosting } from '../n8n/workflow';

const place = placeFor();
let service: RunningService;
let credential: StoredCredential;
let editor: Editor;

beforeAll(async () => {
	const browser = await launchBrowser();
	place.endLater(async () => await browser.close());
	const n8n = await place.n8n({ N8N_DISABLE_UI: 'false' });
	service = await place.service();
	credential = await credentialFor(n8n, service);
	editor = await Editor.open(browser, n8n);
}, 600_000);

it('finds the node by what a person would look for, and lets that person pick an event, run the node and see the event', async () => {
	const [, picked] = service.seedEvents([{ title: 'Rehearsal' }, { title: 'Town hall' }]);
	await editor.openWorkflowOf();

	const node = editor.foundNode('Video Hosting');
	for (const words of [
		'live stream',
		'recording',
		'video hosting',
		'schedule live event',
		'upload to folder',
	]) {
		await editor.searchNodes('');
		await node.waitFor({ state: 'hidden' });
		await editor.searchNodes(words);
		await node.waitFor();
	}

	await editor.openActions('Video Hosting');
	await editor.foundNode('Get live event').click();
	const entries = await editor.openList('event');
	expect(await entries.allInnerTexts()).toEqual([
		expect.stringMatching(/^Town hall \(\d{4}-\d\d-\d\d \d\d:\d\d\)$/),
		expect.stringMatching(/^Rehearsal \(\d{4}-\d\d-\d\d \d\d:\d\d\)$/),
	]);
	await entries.getByText('Town hall').click();
	await editor.page.getByTestId('node-execute-button').click();

	await editor.outputPanel.getByText('1 item', { exact: true }).waitFor();
	const hash = picked?.hash ?? '';
	await editor.outputPanel.getByText(hash).first().waitFor();
	const sent = service.requestsOf('eventSearchByHash').map(({ query }) => query);
	expect(sent).toEqual([{ planId: service.credential.planId, hash }]);
}, 180_000);

it('shows in the dialog of a new credential what the service says, and signs in when it is saved', async () => {
	const dialog = editor.page.getByTestId('editCredential-modal');
	const { credential: account } = service;
	await editor.createCredential('Video Hosting API', { ...account, password: 'wrong' });
	await dialog.getByText('More details').click();
	await dialog.getByText('failed (401): Invalid email or password.').waitFor();
	service.requests.length = 0;
	await editor.createCredential('Video Hosting API', account);
	await dialog.getByText('Connection tested successfully').waitFor();
	const sent = service.requests.filter(({ status }) => status === 200).map(({ operation }) => operation);
	expect(sent).toEqual(['authenticate', 'folderTotal', 'eventSearchAll']);
}, 180_000);

it('shows its own icon, in which time zone a date is interpreted, and the fields of its output', async () => {
	const parameters = { resource: 'event', operation: 'create', title: 'Town hall' };
	const schedule = videoHosting('Schedule', credential, parameters);
	await editor.openWorkflowOf(upload(credential), schedule, noOperation('Next'));
	const icon = editor.node('Upload').locator('img');
	expect(await icon.getAttribute('src')).toMatch(/\/videoHosting\.svg$/);
	const width = await icon.evaluate(async (image: { decode(): Promise<void>; naturalWidth: number }) => {
		await image.decode();
		return image.naturalWidth;
	});
	expect(width).toBeGreaterThan(0);

	await editor.openNode('Schedule');
	await editor.page
		.getByText('Interpreted in the time zone of the workflow settings; add the option Time Zone')
		.waitFor();
	await editor.addOption('Time Zone');
	const timezone = editor.parameter('timezone');
	const shown = await timezone.getByRole('combobox').evaluate(async (input: { value: string }) => {
		// The list loads from n8n.
		while (/^(Loading.*)?$/.test(input.value)) await new Promise((resolve) => setTimeout(resolve, 50));
		return input.value;
	});
	expect(shown).toBe('Workflow Time Zone');
	expect(await editor.parameter('dateScheduled').getByTestId('parameter-issues').count()).toBe(1);
	expect(await timezone.getByTestId('parameter-issues').count()).toBe(0);
	await editor.page.getByTestId('ndv-close-button').click();

	await editor.openNode('Next');
	const fields = editor.page.getByTestId('ndv-input-panel').getByTestId('run-data-schema-item');
	await fields.first().waitFor();
	expect((await fields.allInnerTexts()).map((text) => text.trim())).toEqual(
		expect.arrayContaining(['eventId', 'hash', 'title', 'dateScheduled', 'status']),
	);
}, 180_000);
