/** See publishedReadme.js. */
export function publishedReadme(
	readme: string,
	packageJson: { version: string; repository?: string | { url: string } },
): string;
