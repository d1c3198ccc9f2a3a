import { publishedReadme } from '../../scripts/publishedReadme';
import { read, targetsIn } from '../pages';

const readme = read('README.md');
const raw = 'https://raw.githubusercontent.com/someone/video-nodes/1.2.3/';
const page = 'https://github.com/someone/video-nodes/blob/1.2.3/';

it('the packed README has addresses of files in the repository at the tag of the version', () => {
	const repository = 'git+https://github.com/someone/video-nodes.git';
	const packed = publishedReadme(readme, { version: '1.2.3', repository });
	const expected = targetsIn(readme).map((target) => {
		if (/^(https:|#)/.test(target)) return target;
		return `${/\.png$/.test(target) ? raw : page}${target}`;
	});
	expect(targetsIn(packed)).toEqual(expected);
});

it('the packed README stays as it is while no repository is set, and rejects one without an address', () => {
	expect(publishedReadme(readme, { version: '1.2.3' })).toBe(readme);
	expect(() => publishedReadme(readme, { version: '1.2.3', repository: 'https://example.com/x' })).toThrow(
		'"repository" in package.json is not an address on GitHub: https://example.com/x',
	);
});
