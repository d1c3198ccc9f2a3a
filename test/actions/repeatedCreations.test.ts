import fc from 'fast-check';

import { runWorkflow, type FailureSettings } from '../execution/runWorkflow';
import { startService } from '../fakeService';

const parametersOf = {
	event: {
		resource: 'event',
		operation: 'create',
		title: '={{ $json.name }}',
		dateScheduled: '2030-01-01T10:00:00Z',
	},
	eventSkip: {
		...{
			resource: 'event',
			operation: 'create',
			title: '={{ $json.name }}',
			dateScheduled: '2030-01-01T10:00:00Z',
		},
		options: { skipIfExists: true },
	},
	folder: { resource: 'folder', operation: 'create', name: '={{ $json.name }}' },
	folderDescribed: {
		...{ resource: 'folder', operation: 'create', name: '={{ $json.name }}' },
		options: { description: 'x' },
	},
	folderSkip: {
		...{ resource: 'folder', operation: 'create', name: '={{ $json.name }}' },
		options: { description: 'x', skipIfExists: true },
	},
};

const strikes = { skip: fc.nat({ max: 8 }), times: fc.constantFrom(1, 1, 2, 4) };
const fault = fc.oneof(
	fc.record({
		kind: fc.constant('lostResponse' as const),
		on: fc.constantFrom('eventInsert' as const, 'folderCreate' as const),
		...strikes,
	}),
	fc.record({
		kind: fc.constant('reset' as const),
		on: fc.constantFrom('eventInsert' as const, 'folderCreate' as const),
		...strikes,
	}),
	fc.record({
		kind: fc.constant('status' as const),
		status: fc.constantFrom(400, 404, 500, 502, 504),
		on: fc.constantFrom('eventInsert' as const, 'folderCreate' as const, 'folderUpdate' as const),
		...strikes,
	}),
	fc.record({
		kind: fc.constant('expireToken' as const),
		on: fc.constantFrom('eventInsert' as const, 'folderCreate' as const, 'folderUpdate' as const),
		...strikes,
	}),
);
const settings = fc.record<FailureSettings & { executeOnce: boolean }>({
	retryOnFail: fc.boolean(),
	maxTries: fc.integer({ min: 2, max: 5 }),
	executeOnce: fc.boolean(),
	onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
});

it('Nothing is created twice, and what is reported is there', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.constantFrom(...(Object.keys(parametersOf) as Array<keyof typeof parametersOf>)),
			fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
			fc.array(fault, { maxLength: 4 }),
			settings,
			fc.constantFrom('record' as const, 'success' as const, 'empty' as const),
			async (operation, sizes, faults, failure, writeResponse) => {
				const service = await startService({ writeResponse });
				try {
					faults.forEach((each) => service.injectFault(each));
					let number = 0;
					const rounds = sizes.map((size) =>
						Array.from({ length: size }, () => ({ json: { name: `Name ${number++}` } })),
					);
					const { runs } = await runWorkflow({
						service,
						parameters: parametersOf[operation],
						rounds,
						settings: failure,
					});
					const made = [
						...service.state.events.map(({ title }) => title),
						...service.state.folders.map(({ name }) => name),
					];
					expect(new Set(made).size).toBe(made.length);
					for (const [round, { data, error }] of runs.entries()) {
						if (error) continue;
						const items = (data?.main ?? []).flatMap((output) => output ?? []);
						expect(items).toHaveLength(failure.executeOnce ? 1 : (rounds[round]?.length ?? 0));
						for (const { json, pairedItem } of items) {
							const place = (pairedItem as { item: number }).item;
							const name = rounds[round]?.[place]?.json.name;
							if (json.error === undefined) expect(made).toContain(name);
							else expect(JSON.stringify(json.error)).not.toContain('undefined');
						}
					}
				} finally {
					await service.close();
				}
			},
		),
		{ numRuns: 60 },
	);
}, 400_000);
