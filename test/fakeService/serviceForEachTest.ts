import { startService, type RunningService, type ServiceSettings } from './index';

/**
 * Starts a fake service before each test of a file and closes it after the test.
 *
 * @param assign receives the service of the test that begins; a promise is awaited
 */
export function serviceForEachTest(
	assign: (service: RunningService) => unknown,
	settings?: Partial<ServiceSettings>,
): void {
	let service: RunningService;
	beforeEach(async () => {
		service = await startService(settings);
		await assign(service);
	});
	afterEach(async () => {
		await service.close();
	});
}
