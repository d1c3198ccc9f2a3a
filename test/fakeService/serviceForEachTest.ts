import { startService, type RunningService, type ServiceSettings } from './index';

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
