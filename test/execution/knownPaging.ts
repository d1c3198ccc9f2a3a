import type { RunningService } from '../fakeService';

/** Leaves out the requests by which each run finds out the number of the first page of events: page 1 in another size, and page 0. */
export function withKnownPaging(service: RunningService): RunningService {
	service.settings.pageBeforeFirst = 'empty';
	const requestsOf = service.requestsOf.bind(service);
	service.requestsOf = (operation) =>
		requestsOf(operation).filter(({ query }, index, all) => {
			const { actualPage, planId, quantity } = query;
			const before = all[index - 1]?.query;
			const isRepeated = actualPage === '1' && before?.actualPage === '1' && before.planId === planId;
			return actualPage !== '0' && !(isRepeated && before.quantity !== quantity);
		});
	return service;
}
