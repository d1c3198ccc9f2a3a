/** The anchors that GitHub and npm generate for the headings of a Markdown page. */
export function headingAnchors(markdown: string): string[] {
	return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
		title
			.toLowerCase()
			.replace(/[^\w\s-]/g, '')
			.replace(/\s/g, '-'),
	);
}
