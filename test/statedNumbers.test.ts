import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { VideoHosting } from '../nodes/VideoHosting/VideoHosting.node';

const textOf = (page: string) => readFileSync(join(__dirname, '..', page), 'utf8');

/** Other tests shorten the pauses; a module of its own has those of the package. */
let policies!: typeof import('../nodes/VideoHosting/shared/retryPolicy');
jest.isolateModules(() => {
	policies = jest.requireActual('../nodes/VideoHosting/shared/retryPolicy');
});
const { requestPolicy, retryPolicy } = policies;
const { errorPause, tries } = retryPolicy;
const words = ['no', 'one', 'two', 'three', 'four', 'five'];
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Which errors are retried, and how long: a user plans with these numbers, and the code decides them. */
it.each([
	`up to ${words[requestPolicy.tries]} tries`,
	`up to ${tries} tries in a row without progress, ${errorPause.firstMs / SECOND} to ${errorPause.longestMs / SECOND} seconds apart`,
	`waits up to ${requestPolicy.rateLimitMs / MINUTE} minutes`,
	`must begin within ${requestPolicy.responseTimeoutMs / SECOND} seconds`,
	`no request takes longer than ${words[requestPolicy.deadlineMs / MINUTE]} minutes`,
])('docs/troubleshooting.md says: %s', (sentence) => {
	expect(textOf('docs/troubleshooting.md').replace(/\s+/g, ' ')).toContain(sentence);
});

it('the table of upload options names the operations and the default of each', () => {
	const shown = new Map<string, { operations: string[]; value: unknown }>();
	for (const { options = [], displayOptions, type } of new VideoHosting().description.properties) {
		const { resource, operation } = displayOptions?.show ?? {};
		if (type !== 'collection' || resource?.[0] !== 'upload') continue;
		for (const option of options) {
			if (!('displayName' in option && 'default' in option)) continue;
			const { operations } = shown.get(option.displayName) ?? { operations: [] };
			shown.set(option.displayName, {
				operations: [...operations, ...(operation ?? []).map(String)],
				value: option.default,
			});
		}
	}
	const defaults: Record<string, string> = { true: 'on', false: 'off', '': 'none' };
	const expected = [...shown].map(([name, { operations, value }]) => {
		const names = operations.map((operation) => operation.replace(/^./, (letter) => letter.toUpperCase()));
		return [name, [...names].sort(), defaults[String(value)] ?? String(value)];
	});
	const [, table = ''] = /\n## Options\n([^]*?)\n## /.exec(textOf('docs/uploads.md')) ?? [];
	const rows = [...table.matchAll(/^\| (.+?) +\| (.+?) +\| (\S+) +\| .+ \|$/gm)].slice(2);
	const stated = rows.map(([, name, operations = '', value]) => [name, operations.split(', ').sort(), value]);
	const byName = (one: unknown[], other: unknown[]) => String(one[0]).localeCompare(String(other[0]));
	expect(stated.sort(byName)).toEqual(expected.sort(byName));
});
