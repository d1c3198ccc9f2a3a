import {
	toOptionalFolder,
	toRecordReference,
	toRequiredFolder,
} from '../../nodes/VideoHosting/parameters/references';
import * as values from '../../nodes/VideoHosting/parameters/values';

/** One value of each kind; every parameter of the panel is in unexpectedTypes.slow.test.ts. */

const { toChoice, toFlag, toNumber, toRequiredText, toText, toTexts, toWebAddress } = values;
const wholeNumber = toNumber({ min: 1 });
const fraction = toNumber({ min: 0.5, max: 10, fractions: true });
const source = (label: string, value: unknown) => toChoice(label, value, ['binary', 'url']);
const entered = { mode: undefined, isExpression: false, timezone: 'UTC' };
const event: values.Conversion<unknown> = toRecordReference;
const folder: values.Conversion<unknown> = toRequiredFolder;
const optionalFolder =
	(mode: string, isExpression = false): values.Conversion<unknown> =>
	(label, value) =>
		toOptionalFolder(label, value, { ...entered, mode, isExpression });

it.each<[unknown, unknown, values.Conversion<unknown>]>([
	[' a ', 'a', toText],
	[1.5, '1.5', toText],
	['a\ud800', 'a\ufffd', toText],
	[new Date(0), '1970-01-01T00:00:00.000Z', toText],
	['a, 2', ['a', '2'], toTexts],
	[1, 1, wholeNumber],
	[' +5 ', 5, wholeNumber],
	[10, 10, fraction],
	['2.25', 2.25, fraction],
	[' TRUE ', true, toFlag],
	['False ', false, toFlag],
	['url', 'url', source],
	['http://localhost/a.mp4', 'http://localhost/a.mp4', toWebAddress],
	['', undefined, optionalFolder('list')],
	['A', { name: 'A' }, optionalFolder('name')],
])('%j is read as %j', (value, expected, convert) => {
	expect(convert('Field', value, entered)).toEqual(expected);
});

it.each<readonly [unknown, string, values.Conversion<unknown>]>([
	[NaN, '"NaN" is not text or a number', toText],
	[{}, 'is an object, but must be text or a number', toText],
	[2 ** 53, 'is a number too large to be exact', toText],
	[new Date(NaN), 'is an invalid date', toText],
	['Invalid DateTime', 'is an invalid date', toText],
	[' ', 'is empty', toRequiredText],
	[['a', true], '(element 2) is a boolean, but must be text or a number', toTexts],
	[['a', ' '], '"["a"," "]" has an empty element', toTexts],
	[' ', 'is empty', wholeNumber],
	[[5], 'is a list, but must be a whole number of 1 or more', wholeNumber],
	...['a5', '5 apples', '0x10', '1.5', 0].map(
		(value) => [value, `"${value}" is not a whole number of 1 or more`, wholeNumber] as const,
	),
	[10.5, '"10.5" is not a number from 0.5 to 10', fraction],
	['yes', '"yes" is not true or false', toFlag],
	['file', '"file" is not one of binary, url', source],
	...['a.mp4', 'ftp://localhost/a.mp4'].map(
		(value) => [value, 'is not a web address', toWebAddress] as const,
	),
	['a b', '"a b" is not a hash: a hash has no white space and no comma, and is not a web address', event],
	['a b', '"a b" is not a UUID', folder],
	['', 'is empty', optionalFolder('name')],
	['', 'is empty', optionalFolder('uuid')],
	['', 'is empty', optionalFolder('list', true)],
])('%j is not read: it %s', (value, problem, convert) => {
	expect(() => convert('Field', value, entered)).toThrow(new Error(`Field ${problem}`));
});

it.each([
	['x'.repeat(100), 'x'.repeat(100)],
	['x'.repeat(101), `${'x'.repeat(99)}…`],
	['😀'.repeat(60), `${'😀'.repeat(49)}…`],
])('A message quotes %p as %s', (value, quote) => {
	expect(values.quoted(value)).toBe(`"${quote}"`);
});
