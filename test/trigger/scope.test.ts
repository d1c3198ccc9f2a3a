import { scopeOf } from '../../nodes/VideoHosting/trigger/settings';

const watched = {
	baseUrl: 'https://api.example.com',
	applicationId: '3f1d8c1e-6f0b-4a57-9f3e-2b6f5f0c9a11',
	triggerOn: 'eventStatusChanged' as const,
	planId: 'plan-1001',
	statuses: { from: [], to: ['LIVE'] },
	hashes: [],
	timezone: 'Europe/Berlin',
};

describe('the scope of a memory', () => {
	it('stays what it is, so that an update of the package loses no change', () => {
		expect(scopeOf(watched)).toBe('ri7Jobxwi0Pu');
	});

	it('of Event Starts Soon is the same with other events, minutes and zones: what was reported stays known', () => {
		const soon = { ...watched, triggerOn: 'eventStartsSoon' as const };
		const other = { ...soon, hashes: ['abc'], minutesBefore: 5, timezone: 'UTC' };
		expect(scopeOf(other)).toBe(scopeOf(soon));
	});

	it.each([
		{ baseUrl: 'https://other.example.com' },
		{ applicationId: '00000000-0000-4000-8000-000000000000' },
		{ triggerOn: 'eventCreated' as const },
		{ planId: 'plan-2002' },
		{ statuses: { from: ['LIVE'], to: [] } },
		{ hashes: ['abc'] },
		{ withinDays: 7 },
		{ folder: { name: 'Webinars' } },
	])('is another one with %j', (other) => {
		expect(scopeOf({ ...watched, ...other })).not.toBe(scopeOf(watched));
	});
});
