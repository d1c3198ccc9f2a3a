import type { INodeParameters } from 'n8n-workflow';

import { activeTrigger, type TriggerSetup } from '../execution/pollNode';
import { by } from '../execution/locator';
import { policies } from '../execution/policies';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { hashesOf, watching } from './polling';

serviceForEachTest();

const WARNING = expect.stringMatching(/^warn: The first poll after the activation failed/);
it.each([
	['429', { on: 'eventSearchAll', status: 429, headers: { 'Retry-After': '60' } }],
	['a web page on signing in', { on: 'authenticate', status: 200, body: '<!doctype html>' }],
] as const)(
	'Publishing succeeds although the service returns %s, as the log says',
	async (_answer, fault) => {
		const [event] = service.seedEvents(1);
		service.injectFault({ kind: 'status', times: 99, ...fault });
		const trigger = await watching();
		expect(trigger.log).toEqual([WARNING]);
		await expect(trigger.poll()).rejects.toHaveProperty('failure.cause');
		service.clearFaults();
		expect(await trigger.poll()).toBeNull();
		service.setEventStatus(event?.hash ?? '', 'LIVE');
		expect(hashesOf(await trigger.poll())).toEqual([event?.hash]);
	},
);

it('Publishing the workflow ends in time although the service is slow; the next poll records what exists', async () => {
	const [event] = service.seedEvents(1);
	policies.activationMs = 100;
	service.injectFault({ on: 'eventSearchAll', kind: 'delay', ms: 500 });
	const trigger = await watching();
	expect(trigger.log).toEqual([WARNING]);
	expect(await trigger.poll()).toBeNull();
	service.setEventStatus(event?.hash ?? '', 'LIVE');
	expect(hashesOf(await trigger.poll())).toEqual([event?.hash]);
});

it.each<[string, Partial<TriggerSetup>, RegExp]>([
	['the password is wrong', { credential: { password: 'wrong' } }, /Signing in .* failed \(401\).* Check /],
	['the plan is unknown', { parameters: { options: { planId: '0' } } }, /Plan not found\. Check Plan ID/],
])('Publishing the workflow says what to do when %s, but starting n8n does not fail', async (...given) => {
	const [, setup, message] = given;
	const trigger = await activeTrigger({ service, ...setup });
	await expect(trigger.poll()).rejects.toThrow(message);
	const started = await watching({}, { ...setup, activation: 'init' });
	await expect(started.poll()).rejects.toThrow();
});

it.each<[INodeParameters, RegExp]>([
	[{ options: { events: 'abc, https://x.example/e' } }, /^Event Names or IDs "https:.*" is not a hash/],
	[{ fromStatus: ['LIVE'], toStatus: ['LIVE'] }, /From Status and To Status are both LIVE/],
	[{ toStatus: '={{ [] }}' }, /^To Status is empty/],
	[{ options: { events: '={{ "" }}' } }, /^Event Names or IDs is empty/],
	[{ triggerOn: 'videoAdded', options: { folder: by('list', '') } }, /^Folder is empty/],
])('Publishing the workflow with %j fails before anything is sent', async (parameters, message) => {
	const trigger = await activeTrigger({ service, parameters });
	await expect(trigger.poll()).rejects.toThrow(message);
	expect(service.requests).toHaveLength(0);
});
