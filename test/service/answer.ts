import type { Fault } from '../fakeService';
import { service } from '../fakeService/serviceForEachTest';

/** From now on, requests of these operations get this response. */
export function answer(
	on: Fault['on'],
	body: unknown,
	more: { status?: number; query?: Record<string, string>; times?: number } = {},
): void {
	service.injectFault({ on, kind: 'status', status: 200, body, times: 99, ...more });
}
