import type { INode, IPairedItemData } from 'n8n-workflow';

import { fc } from '../execution/generated';
import { runWorkflow } from '../execution/runWorkflow';
import { answer, service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { by, createFolder, named, run, runWithHints } from './run';

serviceForEachTest();

const folderNames = () => service.state.folders.map(({ name }) => name);

it('Nothing is created twice by the items, tries and rounds of an execution, and what is reported is there', async () => {
	const settings = fc.record<Partial<INode>>({
		retryOnFail: fc.boolean(),
		maxTries: fc.integer({ min: 2, max: 5 }),
		onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
		executeOnce: fc.constantFrom(false, false, true),
	});
	const answer = fc.constantFrom(
		{ kind: 'status', status: 500, error: 'Out of order' } as const,
		{ kind: 'lostResponse' } as const,
		{ kind: 'reset' } as const,
		{ kind: 'expireToken' } as const,
	);
	const faults = fc.array(fc.record({ answer, skip: fc.nat(20) }), { maxLength: 10 });
	const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 });
	await fc.assert(
		fc.asyncProperty(faults, sizes, settings, async (strikes, roundSizes, failureSettings) => {
			service.state.folders.length = 0;
			service.clearFaults();
			for (const { answer: given, skip } of strikes)
				service.injectFault({ ...given, on: 'folderCreate', skip });
			const rounds = roundSizes.map((size, round) =>
				named(...[...Array(size).keys()].map((item) => `${round}, ${item}`)),
			);
			const workflow = { service, parameters: createFolder, rounds, settings: failureSettings };
			const { runs, result } = await runWorkflow(workflow);

			const reported = runs.flatMap(({ data, error }, round) => {
				const items = (data?.main ?? []).flatMap((output) => output ?? []);
				const given = rounds[round]?.slice(0, failureSettings.executeOnce ? 1 : undefined) ?? [];
				if (!error) expect(items).toHaveLength(given.length);
				const succeeded = items.filter(({ json }) => json.uuid !== undefined);
				// The node pairs each with one item.
				for (const { json, pairedItem } of succeeded)
					expect(json.name).toBe(given[(pairedItem as IPairedItemData).item]?.json.name);
				return succeeded.map(({ json }) => json.name);
			});
			const made = folderNames();
			expect(new Set(made).size).toBe(made.length);
			expect(made).toEqual(expect.arrayContaining(reported));
			const lost = strikes.filter(({ answer: given }) => given.kind === 'lostResponse').length;
			if (result.status === 'success') expect(made.length - reported.length).toBeLessThanOrEqual(lost);
		}),
		{ numRuns: 60 },
	);
});

const retried = { retryOnFail: true, runIndex: 0, executionId: '1' };
it.each([
	['another try returns what is completed', retried, ['a', 'b', 'c']],
	['another run of the node runs all', { ...retried, runIndex: 1 }, ['a', 'b', 'a', 'b', 'c']],
	['another execution runs all', { ...retried, executionId: '2' }, ['a', 'b', 'a', 'b', 'c']],
	['a node without Retry On Fail runs all', { ...retried, retryOnFail: false }, ['a', 'b', 'a', 'b', 'c']],
])('Of one array of input items, %s', async (_name, settings, expected) => {
	const items = named('a', 'b', 'c');
	service.injectFault({ on: 'folderCreate', kind: 'status', status: 500, error: 'Out of order', skip: 2 });
	await expect(run(createFolder, { items, ...retried })).rejects.toThrow('Out of order');
	const output = await run(createFolder, { items, ...settings });
	expect(output.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
	expect(folderNames()).toEqual(expected);
});

it('The hints of what an earlier try has completed are shown by the next one', async () => {
	service.injectFault({ on: 'eventInsert', kind: 'status', status: 500, error: 'Out of order', skip: 1 });
	const event = { resource: 'event', operation: 'create', title: '={{ $json.name }}' };
	const parameters = { ...event, dateScheduled: '2020-01-01 18:00:00' };
	const settings = { items: named('One', 'Two'), retryOnFail: true };
	await expect(run(parameters, settings)).rejects.toThrow('Out of order');
	const { hints } = await runWithHints(parameters, settings);
	expect(hints.map((hint) => /"(.*)"/.exec(hint)?.[1])).toEqual(['One', 'Two']);
});

it('A Start that is rejected after a lost response says that the event may be live, and is not repeated by another try', async () => {
	const [event] = service.seedEvents(1);
	service.injectFault({ on: 'eventStartOrEnd', kind: 'lostResponse' });
	answer('eventStartOrEnd', { error: 'Live already' }, { status: 409 });
	const options = { secret: 'plan-secret-7Qm2' };
	const start = { resource: 'event', operation: 'start', event: by('hash', event?.hash ?? ''), options };
	const settings = { items: named('a', 'b'), ...retried };
	const advice = 'It may have been carried out: check that before you run this again.';
	const error = { message: 'Live already.', description: `${advice} 0 of 2 items are complete.` };
	await expect(run(start, settings)).rejects.toMatchObject(error);
	await expect(run(start, settings)).rejects.toMatchObject(error);
	expect(service.requestsOf('eventStartOrEnd')).toHaveLength(2);
});

it('The output of an item that an earlier try completed has no secret that this one does not read', async () => {
	const secret = service.settings.plans['plan-1001'] ?? '';
	service.seedEvents([{ title: 'A', hash: 'h1' }]);
	service.seedEvents([{ title: 'A', hash: 'h2', planId: 'plan-2002' }]);
	const embedUrl = `https://player.example/embed?secret=${secret}`;
	answer('eventSearchByHash', { hash: 'h1', embedUrl }, { query: { hash: 'h1' } });
	service.injectFault({ on: 'eventSearchByHash', kind: 'status', status: 409, query: { hash: 'h2' } });
	const options = { planId: '={{ $json.name }}' };
	const parameters = { resource: 'event', operation: 'get', event: by('title', 'A'), options };
	const rounds = [named('plan-1001', 'plan-2002')];
	const { runs } = await runWorkflow({ service, parameters, rounds, settings: { retryOnFail: true } });
	const output = JSON.stringify(runs[0]?.data?.main);
	expect(output).toContain('h2');
	expect(output).not.toContain(secret);
});
