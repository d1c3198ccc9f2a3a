import { executeForJson } from '../../execution/executeNode';
import { by } from '../../execution/locator';
import type { RunningService } from '../../fakeService';
import { serviceForEachTest } from '../../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));

const lookups = () =>
	service.requests.filter(({ operation }) => operation !== 'eventUpdate' && operation !== 'authenticate');

it.each([
	['in the order of the list', (hashes: string[]) => hashes],
	['in the opposite order', (hashes: string[]) => [...hashes].reverse()],
])('Many updates need few requests besides those that update: %s', async (_name, ordered) => {
	const hashes = service.seedEvents(400).map(({ hash }) => hash);
	const parameters = {
		...{ resource: 'event', operation: 'update', title: 'New title' },
		event: by('hash', '={{ $json.hash }}'),
	};
	const items = ordered(hashes).map((hash) => ({ json: { hash } }));
	await executeForJson({ service, parameters, items });
	expect(service.state.events.every(({ title }) => title === 'New title')).toBe(true);
	// The list has four pages of 100 events.
	expect(lookups().length).toBeLessThanOrEqual(12);
});

it('One update in a plan of many events needs no more than its secret and one lookup', async () => {
	const hash = service.seedEvents(1_000)[500]?.hash ?? '';
	const event = by('hash', hash);
	const parameters = { resource: 'event', operation: 'update', title: 'New title', event };
	await executeForJson({ service, parameters });
	expect(lookups().length).toBeLessThanOrEqual(5);
});

it('Events are renamed although the second page of the list fails: their ID comes from the search by hash', async () => {
	service.settings.pageSizeCap = 10;
	const events = service.seedEvents(25);
	// Newest first: these are on the last page.
	const wanted = events.slice(0, 4).map(({ hash }) => ({ json: { hash } }));
	service.injectFault({ on: 'eventSearchAll', kind: 'status', status: 500, skip: 2, times: 3 });
	const output = await executeForJson({
		...{ service, items: wanted, onError: 'continueRegularOutput' },
		parameters: {
			...{ resource: 'event', operation: 'update', title: 'New' },
			event: by('hash', '={{ $json.hash }}'),
		},
	});
	expect(output.map(({ error }) => error)).toEqual([undefined, undefined, undefined, undefined]);
});
