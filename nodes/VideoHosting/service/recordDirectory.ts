import type { IDataObject } from 'n8n-workflow';

import { perRun } from '../shared/perRun';
import type { ServiceContext } from '../transport/credential';
import { toNodeError } from '../transport/errors';
import { uniqueRecords, type PageReader } from './paging';

/** The records of a list, read page by page and only as far as the lookups of a run need: each page once. */
export class RecordDirectory {
	readonly records: IDataObject[] = [];

	/** Whether the last page was read. */
	isComplete = false;

	private pages: AsyncGenerator<IDataObject[], void, undefined>;

	private pagesRead = 0;

	constructor(private readonly readPage: PageReader) {
		this.pages = uniqueRecords(readPage);
	}

	/**
	 * The first record that matches.
	 *
	 * @param mostPages number of pages of the list to search
	 * @throws NodeApiError when a page cannot be read; the next call reads the list again
	 */
	async find(
		context: ServiceContext,
		matches: (record: IDataObject) => boolean,
		mostPages = Infinity,
	): Promise<IDataObject | undefined> {
		let found = this.records.find(matches);
		while (!found && !this.isComplete && this.pagesRead < mostPages) {
			const fresh = await this.readNext(context);
			this.records.push(...fresh);
			found = fresh.find(matches);
		}
		return found;
	}

	private async readNext(context: ServiceContext): Promise<IDataObject[]> {
		try {
			const { value, done } = await this.pages.next();
			this.pagesRead++;
			this.isComplete = done === true;
			return value ?? [];
		} catch (error) {
			// A generator that threw is finished.
			this.pages = uniqueRecords(this.readPage);
			this.pagesRead = 0;
			throw toNodeError(context, error);
		}
	}
}

/**
 * A function that returns the directory of a plan, one for each plan and run.
 *
 * @param pagesOf reads the pages of the plan's list
 */
export function directoryPerPlan(
	pagesOf: (context: ServiceContext, planId: string, itemIndex: number) => PageReader,
): (context: ServiceContext, planId: string, itemIndex: number) => RecordDirectory {
	const plansOfRun = perRun(() => new Map<string, RecordDirectory>());
	return (context, planId, itemIndex) => {
		const plans = plansOfRun(context);
		const directory = plans.get(planId) ?? new RecordDirectory(pagesOf(context, planId, itemIndex));
		plans.set(planId, directory);
		return directory;
	};
}
