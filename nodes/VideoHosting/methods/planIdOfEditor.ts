import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { planOrDefault } from '../service/plan';

/**
 * The plan that the pickers of a node list: what stands in its Plan ID while it is edited, else the credential's.
 *
 * @throws NodeOperationError when both are empty
 */
export async function planIdOfEditor(context: ILoadOptionsFunctions): Promise<string> {
	const value = context.getCurrentNodeParameter('planId');
	return await planOrDefault(
		context,
		typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '',
	);
}
