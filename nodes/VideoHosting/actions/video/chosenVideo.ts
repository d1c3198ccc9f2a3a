import { resolveVideo } from '../../service/recordByName';
import { planIdOf, videoField } from '../fields';
import type { Item } from '../item';

/**
 * The video of an operation and its plan. All other parameters are read before, so that no request is sent in vain.
 *
 * @throws NodeOperationError when no plan is set, or unless exactly one video is meant; NodeApiError when the list cannot be
 * read
 */
export async function chosenVideo(item: Item): Promise<{ planId: string; hash: string; name?: string }> {
	const { context, itemIndex } = item;
	const chosen = item.read(videoField);
	const planId = await planIdOf(item);
	return { planId, ...chosen, hash: await resolveVideo(context, chosen, planId, itemIndex) };
}
