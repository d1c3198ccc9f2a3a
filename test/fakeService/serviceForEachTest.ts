import { startService, type Fault, type RunningService, type ServiceSettings } from './index';

/** The fake service of the test that runs, in a file that calls {@link serviceForEachTest}. */
export let service: RunningService;

/** Starts a fake service before each test of a file and closes it after the test. */
export function serviceForEachTest(settings?: Partial<ServiceSettings>): void {
	beforeEach(async () => {
		service = await startService(settings);
	});
	afterEach(async () => {
		await service.close();
	});
}

/** From now on, requests of these operations get this response. */
export function answer(
	on: Fault['on'],
	body: unknown,
	more: { status?: number; query?: Record<string, string>; times?: number } = {},
): void {
	service.injectFault({ on, kind: 'status', status: 200, body, times: 99, ...more });
}
