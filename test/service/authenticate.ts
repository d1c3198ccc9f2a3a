import { z } from 'zod';

import { Refusal, type Answer } from './answers';
import { required, type Call } from './call';
import { authenticateAnswer } from './shapes';

const authenticateBody = z.object({ email: z.string(), password: z.string(), resource: z.string().uuid() });

/** Operation 1. */
export function authenticate({ body, settings, issueToken }: Call): Answer {
	const { email, password, resource } = required(authenticateBody, body, 'body');
	if (email !== settings.email || password !== settings.password) {
		throw new Refusal(401, 'Invalid email or password');
	}
	if (resource !== settings.applicationId && !settings.otherApplicationIds.includes(resource)) {
		throw new Refusal(401, 'Application not found');
	}
	return authenticateAnswer(issueToken(resource), settings);
}
