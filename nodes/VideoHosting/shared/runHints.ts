import { perRun } from './perRun';

/** What is shown above the output of the node. */
export interface Hint {
	text: string;
	type: 'info' | 'warning';
}

/** Hints since the last outcome, with which the router keeps them. */
export const newHints = perRun(() => new Array<Hint>());

/** Shows a text above the output of the node, once for all items. The router shows the hints of a run at its end. */
export function addHint(context: object, text: string, type: Hint['type'] = 'info'): void {
	newHints(context).push({ text, type });
}

/** What is to be done once all items have ended, in one go for all of them; gets that moment, in milliseconds since 1970. */
export const afterItems = perRun(() => new Array<(endedAt: number) => Promise<void>>());
