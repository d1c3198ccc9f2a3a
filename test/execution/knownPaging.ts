import { eventPagingAt } from '../../nodes/VideoHosting/service/eventPaging';
import type { RunningService } from '../fakeService';

/** A service whose event pages are known to count from 1, as after the first reading in a process. */
export function withKnownPaging(service: RunningService): RunningService {
	eventPagingAt(service.baseUrl).firstNumber = 1;
	return service;
}
