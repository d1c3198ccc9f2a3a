import type { Page } from 'playwright-core';

/** A rectangle, in pixels of the window. */
export interface Box {
	left: number;
	top: number;
	right: number;
	bottom: number;
}

/** What is drawn on the canvas of n8n's editor. A node is drawn as several boxes: its card, its name, its outputs. */
export interface CanvasShapes {
	/** Each sticky note, with the boxes of its headings, paragraphs and lists. */
	notes: Array<{ box: Box; title: string; text: Box[] }>;
	nodes: Array<{ name: string; boxes: Box[] }>;
	/** The box around each wire, as `source → target`. */
	wires: Array<{ name: string; box: Box }>;
}

/** The part of the DOM's Element that is read here; tests compile without the DOM's types. */
interface PageElement {
	textContent: string | null;
	getAttribute(name: string): string | null;
	getBoundingClientRect(): Box;
	querySelector(selector: string): PageElement | null;
	querySelectorAll(selector: string): Iterable<PageElement>;
}

/** Reads all shapes at one moment, so that they fit together also while the canvas moves. */
export async function canvasShapes(page: Page): Promise<CanvasShapes> {
	await page.evaluate('document.fonts.ready');
	return await page.getByTestId('canvas-wrapper').evaluate((canvas: PageElement): CanvasShapes => {
		const boxOf = (element: PageElement): Box => {
			const { left, top, right, bottom } = element.getBoundingClientRect();
			return { left, top, right, bottom };
		};
		const all = (element: PageElement, selector: string) => [...element.querySelectorAll(selector)];
		return {
			notes: all(canvas, '[data-test-id="sticky"]').map((note) => ({
				box: boxOf(note),
				title: note.querySelector('h2, h3')?.textContent ?? '',
				text: all(note, 'h2, h3, p, li').map(boxOf),
			})),
			nodes: all(canvas, '[data-test-id="canvas-node"]')
				.filter((node) => node.querySelector('[data-test-id="sticky"]') === null)
				.map((node) => ({
					name: node.getAttribute('data-node-name') ?? '',
					boxes: [node, ...all(node, 'div').filter(({ textContent }) => textContent?.trim() !== '')].map(
						boxOf,
					),
				})),
			wires: all(canvas, '[data-test-id="edge"]').map((wire) => ({
				name: ['source', 'target'].map((end) => wire.getAttribute(`data-${end}-node-name`)).join(' → '),
				box: boxOf(wire.querySelector('.vue-flow__edge-path') ?? wire),
			})),
		};
	});
}
