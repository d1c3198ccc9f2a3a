/** GitHub is the one host: n8n requires packages that a GitHub workflow publishes (CONTRIBUTING.md, Release). */
const GITHUB =
	/^(?:(?:git\+)?(?:https|ssh|git):\/\/(?:git@)?github\.com\/|git@github\.com:|github:)?([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?$/;

/** Targets of Markdown links and pictures, and of HTML pictures; those with a scheme and those within the page stay. */
const RELATIVE = /(!?\[[^\]]*\]\(|src(?:set)?=")(?![a-z]+:|#)([^)"\s]+)/g;

/**
 * The README as it is packed: npm and n8n show it away from the repository, so its relative links and pictures become
 * addresses in the repository at the tag of this version. Without `repository` in package.json it stays as it is.
 *
 * @param {string} readme
 * @param {{ version: string, repository?: string | { url: string } }} packageJson
 * @returns {string}
 * @throws Error when `repository` is not an address on GitHub
 */
exports.publishedReadme = (readme, { version, repository }) => {
	if (repository === undefined) return readme;
	const address = typeof repository === 'string' ? repository : repository.url;
	const [, owner, name] = GITHUB.exec(address) ?? [];
	if (name === undefined)
		throw new Error(`"repository" in package.json is not an address on GitHub: ${address}`);
	return readme.replace(RELATIVE, (_target, before, target) => {
		const isPicture = before.startsWith('!') || before.startsWith('src');
		const base = isPicture
			? `https://raw.githubusercontent.com/${owner}/${name}/${version}`
			: `https://github.com/${owner}/${name}/blob/${version}`;
		return `${before}${base}/${target}`;
	});
};
