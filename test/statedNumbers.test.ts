import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeProperties } from 'n8n-workflow';

import { limitField } from '../nodes/VideoHosting/actions/fields';
import { MOST_IMAGE_BYTES } from '../nodes/VideoHosting/actions/video/thumbnailImage';
import { MAX_EVENTS } from '../nodes/VideoHosting/methods/pickers';
import { MOST_VIDEO_PAGES } from '../nodes/VideoHosting/service/recordDirectory';
import { MOST_REDIRECTS } from '../nodes/VideoHosting/sources/fileRequest';
import { DELETED_AFTER, FORGOTTEN_AFTER } from '../nodes/VideoHosting/trigger/diff/knownRecords';
import { LOOK_BACK_MS, LOOK_BACK_VIDEOS } from '../nodes/VideoHosting/trigger/videoAdded';
import { DEFAULT_BUDGET_MS } from '../nodes/VideoHosting/trigger/poll';
import { LONGEST_LIMIT_MS } from '../nodes/VideoHosting/trigger/processState';
import { MAX_BASELINE_READINGS } from '../nodes/VideoHosting/trigger/pollList';
import { EXPIRY_MS } from '../nodes/VideoHosting/upload/ledger';
import { MOST_STORED } from '../nodes/VideoHosting/upload/ledgerStorage';
import { videoPolicy } from '../nodes/VideoHosting/upload/newVideo';
import { BURST_MS } from '../nodes/VideoHosting/upload/slotQueue';
import { VideoHosting } from '../nodes/VideoHosting/VideoHosting.node';

const textOf = (page: string) => readFileSync(join(__dirname, '..', 'docs', `${page}.md`), 'utf8');

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const defaultLimit = Number(limitField.default);
const words = ['no', 'one', 'two', 'three', 'four', 'five'];
const count = (number: number) => number.toLocaleString('en-US');
/** Other tests shorten the pauses; a module of its own has those of the package. */
let policies!: typeof import('../nodes/VideoHosting/shared/retryPolicy');
jest.isolateModules(() => {
	policies = jest.requireActual('../nodes/VideoHosting/shared/retryPolicy');
});
const { requestPolicy, retryPolicy } = policies;
const { errorPause, tries, totalTries, slotPause, unknownTries, unreachableTries } = retryPolicy;

/** Sentences with a number that the code decides: whoever changes one of both has to change the other. */
it.each([
	[
		'how-uploads-work',
		`retries up to ${tries} times in a row without progress, with pauses from ${errorPause.firstMs / SECOND} to ${errorPause.longestMs / SECOND} seconds; ${count(totalTries)} times in total`,
	],
	['how-uploads-work', `404 or 410 for the upload, ${words[unknownTries]} times in a row`],
	['how-uploads-work', `tries ${unreachableTries} times within about 2 seconds`],
	[
		'how-uploads-work',
		// backoffDelay() returns at least half of the pause.
		`does not move for ${slotPause.firstMs / 2 / SECOND} to ${slotPause.firstMs / SECOND} second,`,
	],
	['how-uploads-work', `in queue mode after ${BURST_MS / SECOND} seconds of uploads`],
	['how-uploads-work', `It is kept for ${EXPIRY_MS / DAY} days`],
	['how-uploads-work', `at most ${MOST_STORED} uploads`],
	['how-uploads-work', `Up to ${MOST_REDIRECTS} redirects are followed`],
	['how-uploads-work', `for up to ${videoPolicy.waitMs / SECOND} seconds, and returns it as \`video\``],
	['troubleshooting', `was not listed within ${videoPolicy.waitMs / SECOND} seconds`],
	['troubleshooting', `up to ${words[requestPolicy.tries]} times after errors that pass`],
	['troubleshooting', `waits up to ${requestPolicy.responseTimeoutMs / SECOND} seconds for a response`],
	['troubleshooting', `No request takes longer than ${words[requestPolicy.deadlineMs / MINUTE]} minutes`],
	['troubleshooting', `waited for up to ${requestPolicy.rateLimitMs / MINUTE} minutes`],
	['operations', `returns ${defaultLimit} folders unless Return All is on`],
	['operations', `for ${defaultLimit} folders unless Return All is on`],
	['operations', `up to ${MOST_VIDEO_PAGES} pages`],
	['operations', `at most ${MOST_IMAGE_BYTES / 2 ** 20} MiB`],
	['trigger', `at most ${count(MAX_EVENTS)} events of the plan`],
	['trigger', `${words[DELETED_AFTER.readings]} polls in a row list the event no longer`],
	['trigger', `when it stays empty for ${FORGOTTEN_AFTER.hours} hours`],
	['trigger', `at most ${words[MAX_BASELINE_READINGS]} times`],
	['trigger', `(${DEFAULT_BUDGET_MS / MINUTE} minutes, or what n8n sets)`],
	['trigger', `no request through for ${LONGEST_LIMIT_MS === HOUR ? 'an hour' : '?'}`],
	[
		'trigger',
		`not listed for ${FORGOTTEN_AFTER.hours} hours and in at least ${FORGOTTEN_AFTER.readings} complete readings`,
	],
	['trigger', `within ${LOOK_BACK_MS / HOUR} hours before the newest video`],
	['trigger', `at least the ${LOOK_BACK_VIDEOS} newest videos`],
])('docs/%s.md says: %s', (page, sentence) => {
	expect(textOf(page).replace(/\s+/g, ' ')).toContain(sentence);
});

it('the table of upload options names the operations and the default of each', () => {
	const cells = [...textOf('uploads').matchAll(/^\| (.+?) +\| (.+?) +\| (\S+) +\| .+ \|$/gm)].map((row) =>
		row.slice(1),
	);
	const { properties } = new VideoHosting().description;
	const order = ['create', 'upload', 'resume'];
	const shown = properties
		.filter(
			({ type, displayOptions: { show } = {} }) => type === 'collection' && show?.resource?.[0] === 'upload',
		)
		.flatMap(({ options = [], displayOptions: { show } = {} }) =>
			options
				.filter((option): option is INodeProperties => 'displayName' in option && 'default' in option)
				.map((option) => ({ option, position: order.findIndex((name) => show?.operation?.includes(name)) })),
		);
	const text = (value: unknown) =>
		typeof value === 'boolean' ? (value ? 'on' : 'off') : value === '' ? 'none' : String(value);
	const expected = [...new Set(shown.map(({ option }) => option.displayName))].sort().map((name) => {
		const those = shown.filter(({ option }) => option.displayName === name);
		const operations = order.filter((_name, index) => those.some(({ position }) => position === index));
		const names = operations.map((value) => value.replace(/^./, (letter) => letter.toUpperCase()));
		return [name, names.join(', '), text(those[0]?.option.default)];
	});
	expect(cells.filter(([name]) => expected.some(([known]) => known === name))).toEqual(expected);
});
