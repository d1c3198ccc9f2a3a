import type { RunningService } from '../fakeService';

/** Leaves out the one request for page 0 by which each run finds out the number of the first page of events. */
export function withKnownPaging(service: RunningService): RunningService {
	service.settings.pageBeforeFirst = 'empty';
	const requestsOf = service.requestsOf.bind(service);
	service.requestsOf = (operation) =>
		requestsOf(operation).filter(
			({ query }) => operation !== 'eventSearchAll' || Number(query.actualPage) !== 0,
		);
	return service;
}
