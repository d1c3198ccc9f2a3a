import { toText } from '../parameters/values';
import { serviceCredential, type ServiceContext } from '../transport/credential';
import { OperationError } from '../transport/serviceError';

/**
 * The plan of an operation: the node's Plan ID, else the credential's.
 *
 * @param own the node's parameter, empty when it is not filled
 * @throws OperationError when both are empty
 */
export async function planOrDefault(context: ServiceContext, own: string): Promise<string> {
	const planId = await optionalPlanOrDefault(context, own);
	if (planId !== undefined) return planId;
	throw new OperationError(
		'Plan ID is missing',
		'Enter it in the credential, or add the option Plan ID to this node.',
	);
}

/** Like {@link planOrDefault} where a plan is optional: undefined when both are empty. */
export async function optionalPlanOrDefault(
	context: ServiceContext,
	own: string,
): Promise<string | undefined> {
	if (own !== '') return own;
	const { planId } = await serviceCredential(context);
	return toText('Plan ID of the credential', planId) || undefined;
}
