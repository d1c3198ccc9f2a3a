import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { publishedReadme } from '../../publishedReadme';

const repository = join(__dirname, '..', '..');
const readme = readFileSync(join(repository, 'README.md'), 'utf8');
const version = '1.2.3';

describe('The README in the package', () => {
	const packed = publishedReadme(readme, {
		version,
		repository: { url: 'git+https://github.com/someone/video-nodes.git' },
	});
	const targets = (text: string) =>
		[...text.matchAll(/\]\(([^)\s]+)\)|src(?:set)?="([^"]+)"/g)].map((match) => match[1] ?? match[2] ?? '');

	it('has addresses of files of this version in the repository, and raw ones for pictures', () => {
		const own = targets(packed).filter((target) => /github(usercontent)?\.com/.test(target));
		expect(own.length).toBeGreaterThan(15);
		const paths = own.map((target) => {
			const [, picture, file] =
				/^https:\/\/(?:raw\.githubusercontent\.com\/someone\/video-nodes\/1\.2\.3\/(.+)|github\.com\/someone\/video-nodes\/blob\/1\.2\.3\/([^#]+).*)$/.exec(
					target,
				) ?? [];
			expect([target, /\.(png|gif)$/.test(target)]).toEqual([target, picture !== undefined]);
			return picture ?? file ?? '';
		});
		expect(paths.filter((path) => !existsSync(join(repository, path)))).toEqual([]);
	});

	it('has no relative link or picture, and is otherwise the same', () => {
		expect(targets(packed).filter((target) => !/^(https:|#)/.test(target))).toEqual([]);
		const withoutTargets = (text: string) => text.replace(/(\]\()[^)\s]+|(src(?:set)?=")[^"]+/g, '$1$2');
		expect(withoutTargets(packed)).toBe(withoutTargets(readme));
	});

	it.each([
		'https://github.com/someone/video-nodes',
		'git@github.com:someone/video-nodes.git',
		'github:someone/video-nodes',
		'someone/video-nodes',
	])('is the same for the repository %s', (address) => {
		expect(publishedReadme(readme, { version, repository: address })).toBe(packed);
	});

	it('stays as it is while no repository is set', () => {
		expect(publishedReadme(readme, { version })).toBe(readme);
	});

	it('is not packed with a repository that no address can be made from', () => {
		expect(() => publishedReadme(readme, { version, repository: 'https://example.com/x' })).toThrow(
			'"repository" in package.json is not an address on GitHub: https://example.com/x',
		);
	});
});

describe('npm run release:check', () => {
	let folder: string;
	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'video-hosting-release-'));
		for (const file of ['package.json', 'README.md', 'CHANGELOG.md', 'credentials'])
			cpSync(join(repository, file), join(folder, file), { recursive: true });
	});
	afterEach(() => rmSync(folder, { recursive: true, force: true }));

	const check = () =>
		spawnSync(process.execPath, [join(__dirname, 'releaseCheck.mjs'), folder], { encoding: 'utf8' });
	const change = (file: string, changed: (text: string) => string) => {
		mkdirSync(folder, { recursive: true });
		writeFileSync(join(folder, file), changed(readFileSync(join(folder, file), 'utf8')));
	};

	it('names in one list what an owner has to fill in, until it is', () => {
		const credential = 'credentials/VideoHostingApi.credentials.ts';
		const missing = { repository: undefined, homepage: undefined, bugs: undefined };
		const author = { name: 'A', email: 'maintainers@video-hosting.example' };
		change('package.json', (text) => JSON.stringify({ ...JSON.parse(text), ...missing, author }));
		change(credential, (text) =>
			text.replace(/documentationUrl = '.*'/, "documentationUrl = 'https://docs.n8n.io/x'"),
		);

		const { status, stderr } = check();

		expect(status).toBe(1);
		for (const what of ['repository', 'homepage', 'bugs', 'author', 'documentationUrl'])
			expect(stderr).toMatch(new RegExp(`^- "?${what}`, 'm'));

		const home = 'https://github.com/someone/video-nodes';
		change('package.json', (text) =>
			JSON.stringify({
				...JSON.parse(text),
				author: 'Someone <someone@company.com>',
				repository: { type: 'git', url: `git+${home}.git` },
				homepage: `${home}#readme`,
				bugs: { url: `${home}/issues` },
			}),
		);
		change(credential, (text) => text.replace('https://docs.n8n.io/x', `${home}#readme`));
		change('README.md', (text) => text.replaceAll('Not published yet', ''));
		change('CHANGELOG.md', (text) => text.replace('unreleased', '2030-01-01'));
		expect(check()).toMatchObject({ status: 0, stderr: '' });
	});
});
