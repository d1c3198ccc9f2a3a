const { readdirSync, readFileSync } = require('node:fs');
const path = require('node:path');

/**
 * The text of THIRD-PARTY-NOTICES: name, version, license and license text of each package that a bundle contains.
 *
 * @param {import('esbuild').Metafile} metafile of the build that wrote the bundles
 * @throws Error when a bundled package has no license file: it must not be shipped then
 */
exports.thirdPartyNotices = (metafile) => {
	// Files with at least one byte in a bundle.
	const files = Object.values(metafile.outputs).flatMap(({ inputs }) =>
		Object.keys(inputs).filter((file) => inputs[file].bytesInOutput > 0),
	);
	const folders = files.map((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
	const packages = [...new Set(folders)].filter((folder) => folder !== undefined).sort();
	const notices = packages.map((folder) => {
		const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
		const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)(\.|$)/i.test(entry));
		if (file === undefined) throw new Error(`${name} is bundled and has no license file`);
		const text = readFileSync(path.join(folder, file), 'utf8').trim();
		return `${'='.repeat(78)}\n${name} ${version} (${license})\n${'='.repeat(78)}\n\n${text}\n`;
	});
	return `This package contains code of the packages below.\n\n${notices.join('\n')}`;
};
