import type { IDataObject } from 'n8n-workflow';

import { documentedStatus, EVENT_STATUSES } from './eventStatuses';
import { statusFieldOf } from './recordFields';

/** Number of different values that a message shows. */
const SHOWN_VALUES = 5;

/** Message and description of an error about the statuses of events. */
export interface StatusProblem {
	message: string;
	description: string;
}

/** Collects the statuses of events while they are read, to report that none of them is a documented one. */
export class StatusCheck {
	private readonly values = new Map<string, Set<string>>();
	private events = 0;
	private hasDocumented = false;

	add(event: IDataObject): void {
		this.events++;
		const field = statusFieldOf(event);
		if (field === undefined) return;
		if (documentedStatus(field.text) !== undefined) this.hasDocumented = true;
		const texts = this.values.get(field.path) ?? new Set();
		if (texts.size <= SHOWN_VALUES) this.values.set(field.path, texts.add(field.text));
	}

	/**
	 * What is wrong with the events that were added; undefined when there are none, or when one of them has a documented
	 * status: the service may have added a new one that others have.
	 */
	problem(): StatusProblem | undefined {
		if (this.events === 0 || this.hasDocumented) return undefined;
		const found = [...this.values].map(([path, texts]) => {
			const quoted = [...texts].map((text) => `"${text}"`);
			const more = quoted.length > SHOWN_VALUES ? ' and others' : '';
			return `the field ${path} contains ${quoted.slice(0, SHOWN_VALUES).join(', ')}${more}`;
		});
		return {
			message: `No event of this plan has one of the statuses ${EVENT_STATUSES.join(', ')}: ${found.join(', ') || 'the events have no status field'}`,
			description: 'Check the output of Event → Get Many without the option Status.',
		};
	}
}
