import type { TriggerSettings } from './settings';

/** The parameters that limit what a manual test can find, as the panel names them; only those that are set. */
export function conditionsOf({ statuses, hashes, withinDays }: TriggerSettings): string[] {
	return [
		...(statuses.to.length > 0 ? [`To Status (${statuses.to.join(', ')})`] : []),
		...(hashes.length > 0 ? [`Event Names or IDs (${hashes.length} selected)`] : []),
		...(withinDays === undefined ? [] : [`Scheduled Within Days (${withinDays})`]),
	];
}

/** The message of a manual test that found nothing, with what to do about it. */
export function noSampleMessage(kind: 'event' | 'video', conditions: string[]): string {
	if (conditions.length === 0) {
		const remedy = kind === 'event' ? 'Create an event in the plan' : 'Upload a video to the plan';
		return `No ${kind} was found. ${remedy} and test again.`;
	}
	const clear = conditions.length > 1 ? 'one of these conditions' : 'this condition';
	return `No ${kind} that matches ${joined(conditions)} was found. Create or change an event so that it matches, or clear ${clear}, and test again.`;
}

function joined(parts: string[]): string {
	const last = parts.at(-1) ?? '';
	return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${last}` : last;
}
