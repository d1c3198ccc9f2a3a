import { NodeOperationError, type IDataObject, type INodeProperties } from 'n8n-workflow';

import type { RecordReference } from '../../parameters/identifiers';
import { toNumber, toText } from '../../parameters/values';
import { resolveEvent } from '../../service/recordByName';
import { findEvent } from '../../service/planSecret';
import { eventIdOf } from '../../service/recordFields';
import { planOrDefault } from '../../service/plan';
import { planIdOption } from '../fields';
import type { ItemParameters } from '../parameters';
import { noEventError } from './eventRecord';

export const secretOption: INodeProperties = {
	displayName: 'Secret',
	name: 'secret',
	type: 'string',
	typeOptions: { password: true },
	default: '',
	description: 'Secret of the plan. Leave it empty to look it up in the events of the plan.',
};

export const eventIdOption: INodeProperties = {
	displayName: 'Event ID',
	name: 'eventId',
	type: 'number',
	default: 0,
	description: 'Numeric ID of the event. Leave it at 0 to look it up in the events of the plan.',
};

/**
 * What docs/api-reference.md#update-an-event and docs/api-reference.md#start-or-end-an-event require besides the hash:
 * the plan secret and the numeric event ID. Values under Options are used as they are; the rest is looked
 * up, see {@link findEvent}.
 *
 * @throws NodeOperationError when the lookup does not find the secret; it names the option to fill in
 */
export async function eventForChange(
	{ context, itemIndex, option }: ItemParameters,
	chosen: RecordReference,
	needsId: boolean,
): Promise<{ hash: string; secret: string; eventId: number | undefined; record?: IDataObject }> {
	const givenSecret = option(secretOption, toText);
	const ownPlanId = option(planIdOption, toText);
	const givenId = needsId ? option(eventIdOption, toEventId) : undefined;
	const hash = await resolveEvent(context, chosen, ownPlanId, itemIndex);
	if (givenSecret !== '' && (givenId !== undefined || !needsId))
		return { hash, secret: givenSecret, eventId: givenId };

	const planId = await planOrDefault(context, ownPlanId, itemIndex);
	const { record, secret } = await findEvent(context, planId, hash, itemIndex);
	if (!record && needsId && givenId === undefined) {
		const error = noEventError(context, itemIndex, planId, hash);
		error.description = 'Check Event and Plan ID, or enter the event ID and the secret under Options.';
		throw error;
	}
	const usedSecret = givenSecret !== '' ? givenSecret : secret;
	if (usedSecret === undefined) {
		throw new NodeOperationError(context.getNode(), `No secret was found for the event "${hash}"`, {
			itemIndex,
			description: 'No event of this plan contains one. Enter it in the option Secret.',
		});
	}
	return { hash, secret: usedSecret, eventId: givenId ?? (record && eventIdOf(record)), record };
}

/** 0 means empty. */
function toEventId(label: string, value: unknown): number | undefined {
	const id = toNumber(label, value, { min: 0 });
	return id === 0 ? undefined : id;
}
