import type { INodeProperties } from 'n8n-workflow';

import { fc } from '../execution/generated';

/** What no parameter accepts: nothing that is text, a number or empty, and no list of such. */
const neverAValue: fc.Arbitrary<unknown> = fc.oneof(
	// Half an emoji, as a text that was shortened has it.
	fc.constantFrom(NaN, Infinity, -Infinity, 'abc\ud800'),
	fc.array(fc.constantFrom(null, true, [], {}, NaN, [['A']]), { minLength: 1, maxLength: 3 }),
);
const aList = fc.array(fc.oneof(fc.string({ maxLength: 5 }), fc.integer()), { maxLength: 3 });
const anObject = fc.dictionary(
	fc.string({ minLength: 1, maxLength: 3 }).filter((key) => !key.startsWith('__')),
	fc.oneof(fc.string({ maxLength: 3 }), fc.integer()),
	{ maxKeys: 2 },
);
const aBoolean = fc.boolean();
const aText = fc.constantFrom('abc', 'yes', '5 apples', '\u0660', '1e', '--1');

/**
 * Values that a parameter of this type must reject. Lists are left out where a list is documented: several event IDs
 * (Event → Delete), multi-selects, and the trigger's Events.
 */
export function oddValues(property: INodeProperties, acceptsList = false): fc.Arbitrary<unknown> {
	const always = [neverAValue, anObject];
	if (acceptsList) return fc.oneof(...always, aBoolean);
	switch (property.type) {
		case 'boolean':
			return fc.oneof(...always, aList, aText, fc.constantFrom(0, 1, '1', 'no'));
		case 'number':
			return fc.oneof(...always, aList, aText, aBoolean, fc.constantFrom(-1, '-1', 1e308));
		case 'options':
			return fc.oneof(...always, aList, aBoolean, fc.constantFrom('no such choice', 17));
		case 'multiOptions':
			return fc.oneof(...always, aBoolean, fc.constantFrom('no such choice', ['no such choice'], [''], 17));
		case 'json':
			return fc.oneof(
				neverAValue,
				aList,
				aBoolean,
				fc.constantFrom('abc', '[]', '{ "a": ', '"text"', 'null', 17),
			);
		case 'dateTime':
			return fc.oneof(...always, aList, aBoolean, fc.constantFrom('05/12/2026 18:00', 1_782_898_200, '17'));
		default:
			return fc.oneof(...always, aList, aBoolean);
	}
}
