import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { flagsFor, readFlags } from './flags';

it('flags transport every setting unchanged', () => {
	const { settings } = readFlags([]);
	expect(readFlags(flagsFor(settings)).settings).toEqual(settings);
	const changed = {
		...settings,
		plans: { p: 'a "b"' },
		otherApplicationIds: [settings.applicationId],
		password: '-1',
	};
	expect(readFlags(flagsFor(changed)).settings).toEqual(changed);
});

it('a flag with a wrong value is rejected with the valid values', () => {
	expect(() => readFlags(['--list-shape', 'tree'])).toThrow(
		/--list-shape must be array\|data\|.*, not "tree"/,
	);
	expect(() => readFlags(['--list'])).toThrow(/--list/);
});

it('--help lists every setting', () => {
	const help = execFileSync(process.execPath, ['--import', 'tsx', join(__dirname, 'main.ts'), '--help'], {
		encoding: 'utf8',
	});
	for (const flag of flagsFor(readFlags([]).settings)) expect(help).toContain(`  ${flag.split('=')[0]}`);
	expect(help).toContain('--list-shape array|data|items');
});
