import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { checked } from '../parameters/readParameter';
import { toText } from '../parameters/values';
import { planOrDefault } from '../service/plan';

/**
 * The plan that the pickers of a node list: its Plan ID as it is while the node is edited, else the credential's.
 *
 * @throws NodeOperationError when both are empty
 */
export async function planIdOfEditor(context: ILoadOptionsFunctions): Promise<string> {
	const own = checked(context, undefined, () =>
		toText('Plan ID', context.getCurrentNodeParameter('options.planId')),
	);
	return await planOrDefault(context, own);
}
