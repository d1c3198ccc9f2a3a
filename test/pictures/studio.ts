import type { Browser } from 'playwright-core';

import type { RunningN8n } from '../n8n/instance';
import type { StoredCredential } from '../n8n/rest';
import type { RunningService } from '../fakeService';

/** What the pictures are taken of. */
export interface Studio {
	browser: Browser;
	n8n: RunningN8n;
	service: RunningService;
	credential: StoredCredential;
}
