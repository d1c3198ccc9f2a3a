import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { executeForJson, type NodeRun } from '../execution/executeNode';
import type { Folder, LiveEvent, RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

/** Creates an event "A" and a folder "Webinars", whether they exist or not. */
export const event: INodeParameters = {
	...{ resource: 'event', operation: 'create', title: 'A', dateScheduled: '2030-01-01 10:00:00' },
};
export const folder: INodeParameters = { resource: 'folder', operation: 'create', name: 'Webinars' };

/** Does so with Skip If Exists. */
export const once = (parameters: INodeParameters, options: INodeParameters = {}): INodeParameters => ({
	...parameters,
	options: { skipIfExists: true, ...options },
});

/** For `it.each`: the request that creates, and its parameters. */
export const FOLDER_AND_EVENT = [
	['folderCreate', folder],
	['eventInsert', event],
] as const;

/** The events and folders that executions create at a running service. */
export class Creations {
	constructor(readonly service: RunningService) {}

	async run(parameters: INodeParameters, more: Partial<NodeRun> = {}): Promise<IDataObject[]> {
		return await executeForJson({ service: this.service, parameters, ...more });
	}

	/** A run that continues after an error, which is in the item. */
	async attempt(parameters: INodeParameters, more: Partial<NodeRun> = {}): Promise<IDataObject[]> {
		return await this.run(parameters, { onError: 'continueRegularOutput', ...more });
	}

	/** An attempt to create one event for each title once. */
	async runWith(titles: string[], executionId?: string): Promise<IDataObject[]> {
		const items = titles.map((title) => ({ json: { title } }));
		return await this.attempt(once({ ...event, title: '={{ $json.title }}' }), { executionId, items });
	}

	events(title = 'A'): LiveEvent[] {
		return this.service.state.events.filter((each) => each.title === title);
	}

	folders(name = 'Webinars'): Folder[] {
		return this.service.state.folders.filter((each) => each.name === name);
	}

	/** How many events and folders there are. */
	count(): number {
		return this.service.state.events.length + this.service.state.folders.length;
	}

	/** A person deletes all events and folders. */
	deleteAll(): void {
		Object.assign(this.service.state, { events: [], folders: [] });
	}

	/** From now on, no list shows what is created. */
	listLate(): void {
		this.service.settings.folderAppearsAfterMs = 60_000;
		this.service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 200, body: '[]', times: 99 });
	}
}

/** Starts a service before each test of a file, and closes it after the test. */
export function creationsForEachTest(assign: (creations: Creations) => void): void {
	serviceForEachTest((service) => assign(new Creations(service)));
	afterEach(() => jest.restoreAllMocks());
}
