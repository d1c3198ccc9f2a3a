import type { INode } from 'n8n-workflow';
import {
	chromium,
	selectors,
	type Browser,
	type BrowserContextOptions,
	type Locator,
	type Page,
} from 'playwright-core';

import { installedPrograms } from '../n8n/debianPackages';
import { owner, type RunningN8n } from '../n8n/instance';
import { manualTrigger, workflowOf } from '../n8n/workflow';

/** Starts Chromium, headless and with a profile of its own. `CHROMIUM` names another one; without one, Debian's is installed. */
export async function launchBrowser(): Promise<Browser> {
	const [executablePath] = process.env.CHROMIUM
		? [process.env.CHROMIUM]
		: await installedPrograms('chromium');
	// n8n marks what tests look for with data-test-id.
	selectors.setTestIdAttribute('data-test-id');
	return await chromium.launch({ executablePath, args: ['--disable-gpu'] });
}

/** What a person does in n8n's editor. Every step waits until n8n shows what the next one needs. */
export class Editor {
	private constructor(
		readonly page: Page,
		private readonly n8n: RunningN8n,
	) {}

	/** Signs in as n8n's owner in a window of its own. */
	static async open(browser: Browser, n8n: RunningN8n, options: BrowserContextOptions = {}): Promise<Editor> {
		const viewport = { width: 1280, height: 760 };
		const context = await browser.newContext({ viewport, reducedMotion: 'reduce', ...options });
		context.setDefaultTimeout(60_000);
		const page = await context.newPage();
		const { email, password } = owner;
		await page.request.post(`${n8n.url}/rest/login`, { data: { emailOrLdapLoginId: email, password } });
		return new Editor(page, n8n);
	}

	async close(): Promise<void> {
		await this.page.context().close();
	}

	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`${this.n8n.url}/workflow/${id}`);
		await this.page.getByTestId('canvas-controls').waitFor();
		await this.page.getByTestId('canvas-node').first().waitFor();
	}

	/** Opens a new workflow of a manual trigger and these nodes, one after the other. */
	async openWorkflowOf(...nodes: INode[]): Promise<void> {
		const workflow = workflowOf('My workflow', [manualTrigger(), ...nodes]);
		await this.openWorkflow((await this.n8n.rest.createWorkflow(workflow)).id);
	}

	/** A node on the canvas. */
	node(name: string): Locator {
		return this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	}

	/** Opens the node panel at the end of the workflow and types `words`. */
	async searchNodes(words: string): Promise<void> {
		const search = this.page.getByTestId('node-creator-search-bar');
		if (!(await search.isVisible())) {
			await this.page.getByTestId('canvas-handle-plus').last().click();
		}
		await search.fill(words);
	}

	/** A node among those that {@link searchNodes} found. */
	foundNode(name: string): Locator {
		return this.page.getByTestId('node-creator-item-name').getByText(name, { exact: true });
	}

	/** Opens the list of what a found node can do. */
	async openActions(nodeName: string): Promise<void> {
		await this.foundNode(nodeName).click();
		await this.page.getByText(/^Actions \(\d+\)$/).waitFor();
	}

	async openNode(name: string): Promise<void> {
		await this.node(name).dblclick();
		await this.page.getByTestId('ndv').waitFor();
	}

	/** Opens the dialog of a new credential, fills its fields by their names, and saves it, which tests it. */
	async createCredential(displayName: string, fields: Record<string, string>): Promise<void> {
		await this.page.goto(`${this.n8n.url}/home/credentials/create`);
		await this.page.getByTestId('new-credential-type-select').getByRole('combobox').fill(displayName);
		await this.page.getByTestId('new-credential-type-select-option').getByText(displayName).click();
		await this.page.getByTestId('new-credential-type-button').click();
		const boxOf = (name: string) => this.parameter(name).getByRole('textbox');
		// A page that is still being set up may drop what is filled in (https://playwright.dev/docs/navigations#hydration).
		let lost = Object.entries(fields);
		while (lost.length > 0) {
			for (const [name, value] of lost) await boxOf(name).fill(value);
			const shown = new Map<string, string>();
			for (const name of Object.keys(fields)) shown.set(name, await boxOf(name).inputValue());
			lost = Object.entries(fields).filter(([name, value]) => shown.get(name) !== value);
		}
		await this.page.getByTestId('credential-save-button').click();
	}

	/** The field of a parameter in the open node or credential. */
	parameter(name: string): Locator {
		return this.page.getByTestId(`parameter-input-${name}`);
	}

	/** Adds an option of the open node's only collection. */
	async addOption(displayName: string): Promise<void> {
		await this.page.getByTestId('collection-parameter-add').click();
		const entries = this.page.getByTestId('collection-parameter-option');
		await entries.filter({ hasText: displayName }).click();
	}

	/** Opens the list of a picker; its entries load from the service. */
	async openList(parameter: string): Promise<Locator> {
		await this.parameter(parameter).getByTestId('rlc-input').click();
		const entries = this.page.getByTestId('rlc-item');
		await entries.first().waitFor();
		return entries;
	}

	get outputPanel(): Locator {
		return this.page.getByTestId('output-panel');
	}
}
