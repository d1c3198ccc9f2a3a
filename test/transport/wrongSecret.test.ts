import type { INodeParameters } from 'n8n-workflow';

import { executeForJson } from '../execution/executeNode';
import { by } from '../execution/locator';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));

const SECRET = 'plan-secret-7Qm2';

it.each(['update', 'start'])(
	'A token that expires after a wrong secret is renewed for the next items: %s',
	async (operation) => {
		const events = service.seedEvents(4);
		const items = events.map(({ eventId, hash }, index) => ({
			json: { eventId, hash, secret: index === 0 ? 'wrong-secret' : SECRET },
		}));
		const parameters: INodeParameters = {
			...{ resource: 'event', operation, event: by('hash', '={{ $json.hash }}'), title: 'New' },
			options: { eventId: '={{ $json.eventId }}', secret: '={{ $json.secret }}' },
		};
		if (operation === 'start') parameters.options = { secret: '={{ $json.secret }}' };
		const on = operation === 'update' ? 'eventUpdate' : 'eventStartOrEnd';
		// The request after the two of the first item.
		service.injectFault({ on, kind: 'expireToken', skip: 2 });
		const output = await executeForJson({ service, parameters, items, onError: 'continueRegularOutput' });
		expect(output.map(({ error }) => error === undefined)).toEqual([false, true, true, true]);
	},
);

it.each([
	['begins with the password', 'Choir2026-kTx81qLw', 'The secret Choir2026-kTx81qLw is not that of the plan'],
	['contains a quotation mark', 'k"Tx81/qLw', `Rejected body ${JSON.stringify({ secret: 'k"Tx81/qLw' })}`],
])('No part of a secret is shown that %s, when the service quotes it', async (_, secret, error) => {
	const password = (service.settings.password = 'Choir2026');
	service.injectFault({ on: 'eventStartOrEnd', kind: 'status', status: 403, times: 9, error });
	const [json] = await executeForJson({
		...{ service, onError: 'continueRegularOutput', credential: { password } },
		parameters: {
			...{ resource: 'event', operation: 'start', event: by('hash', service.seedEvents(1)[0]?.hash ?? '') },
			options: { secret },
		},
	});
	expect(json?.error).toMatch(/\[hidden\]/);
	expect(json?.error).not.toMatch(/Tx81/);
});
