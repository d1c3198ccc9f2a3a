import type { INodeProperties } from 'n8n-workflow';

import { fc } from '../execution/generated';

/** What no parameter accepts: nothing that is text, a number or empty, and no list of such. */
const neverAValue: fc.Arbitrary<unknown> = fc.oneof(
	fc.constantFrom(NaN, Infinity, -Infinity),
	fc.array(fc.constantFrom(null, true, [], {}, NaN, [['A']]), { minLength: 1, maxLength: 3 }),
);
const aList = fc.array(fc.oneof(fc.string({ maxLength: 5 }), fc.integer()), { maxLength: 3 });
const anObject = fc.dictionary(
	fc.string({ minLength: 1, maxLength: 3 }).filter((key) => !key.startsWith('__')),
	fc.oneof(fc.string({ maxLength: 3 }), fc.integer()),
	{ maxKeys: 2 },
);
const TEXTS = ['abc', 'yes', '5 apples', '\u0660', '1e', '--1'];

/** Values that one type rejects, and others may accept. */
const ODD: Partial<Record<INodeProperties['type'], unknown[]>> = {
	boolean: [...TEXTS, 0, 1, '1', 'no'],
	number: [...TEXTS, -1, '-1', 1e308],
	options: ['no such choice', 17],
	multiOptions: ['no such choice', ['no such choice'], [''], 17],
	json: ['abc', '[]', '{ "a": ', '"text"', 'null', 17],
	dateTime: ['05/12/2026 18:00', 1_782_898_200, '17'],
};

/**
 * Values that a parameter of this type must reject. Lists are left out where a list is documented: several event IDs
 * (Event → Delete), multi-selects, and the trigger's Events.
 */
export function oddValues({ type }: INodeProperties, acceptsList = false): fc.Arbitrary<unknown> {
	if (acceptsList) return fc.oneof(neverAValue, anObject, fc.boolean());
	const odd = [neverAValue, fc.constantFrom(...(ODD[type] ?? [true]))];
	if (type !== 'boolean') odd.push(fc.boolean());
	if (type !== 'json') odd.push(anObject);
	if (type !== 'multiOptions') odd.push(aList);
	return fc.oneof(...odd);
}
