import { fc } from '../execution/generated';
import { runWorkflow, type FailureSettings } from '../execution/runWorkflow';
import { startService } from '../fakeService';

const name = '={{ $json.name }}';
const event = { resource: 'event', operation: 'create', title: name, dateScheduled: '2030-01-01T10:00:00Z' };
const folder = { resource: 'folder', operation: 'create', name };
const creations = [
	event,
	{ ...event, options: { skipIfExists: true } },
	folder,
	{ ...folder, options: { description: 'x' } },
	{ ...folder, options: { description: 'x', skipIfExists: true } },
];

const strikes = { skip: fc.oneof(fc.constant(0), fc.nat({ max: 8 })), times: fc.constantFrom(1, 1, 2, 4) };
const on = fc.constantFrom('eventInsert' as const, 'folderCreate' as const, 'folderUpdate' as const);
const fault = fc.oneof(
	fc.record({
		kind: fc.constantFrom('lostResponse' as const, 'reset' as const, 'expireToken' as const),
		on,
		...strikes,
	}),
	fc.record({
		kind: fc.constant('status' as const),
		status: fc.constantFrom(400, 404, 500, 502, 504),
		on,
		...strikes,
	}),
	// The first readings of the list do not show yet what was created.
	fc.record({
		kind: fc.constant('status' as const),
		status: fc.constant(200),
		body: fc.constant('[]'),
		on: fc.constantFrom('eventSearchAll' as const, 'folderList' as const),
		times: fc.constantFrom(1, 4, 20),
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
			fc.constantFrom(...creations),
			fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
			fc.array(fault, { maxLength: 4 }),
			settings,
			fc.constantFrom('record' as const, 'success' as const, 'empty' as const),
			async (parameters, sizes, faults, failure, writeResponse) => {
				const service = await startService({ writeResponse });
				try {
					faults.forEach((each) => service.injectFault(each));
					let number = 0;
					const isSkipping = 'options' in parameters && 'skipIfExists' in parameters.options;
					// A name comes again only where that means the same record.
					const nextName = () => `Name ${number++ % (isSkipping ? 3 : 100)}`;
					const rounds = sizes.map((size) =>
						Array.from({ length: size }, () => ({ json: { name: nextName() } })),
					);
					const { runs } = await runWorkflow({
						service,
						parameters,
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
		{ numRuns: 100 },
	);
}, 400_000);
