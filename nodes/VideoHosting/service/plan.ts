import { NodeOperationError } from 'n8n-workflow';

import { checked } from '../parameters/readParameter';
import { toText } from '../parameters/values';
import { serviceCredential, type ServiceContext } from '../transport/credential';

/**
 * The plan of an operation: the node's Plan ID, else the credential's.
 *
 * @param own the node's parameter, empty when it is not filled
 * @throws NodeOperationError when both are empty
 */
export async function planOrDefault(
	context: ServiceContext,
	own: string,
	itemIndex?: number,
): Promise<string> {
	const planId = await optionalPlanOrDefault(context, own);
	if (planId !== undefined) return planId;
	throw new NodeOperationError(context.getNode(), 'Plan ID is missing', {
		itemIndex,
		description: 'Enter it in this node or in its credential.',
	});
}

/** Like {@link planOrDefault} where a plan is optional: undefined when both are empty. */
export async function optionalPlanOrDefault(
	context: ServiceContext,
	own: string,
): Promise<string | undefined> {
	const ownPlan = own.trim();
	if (ownPlan !== '') return ownPlan;
	const { planId } = await serviceCredential(context);
	return checked(context, undefined, () => toText('Plan ID of the credential', planId)) || undefined;
}
