/**
 * Loaded into n8n's process before n8n (`node --require`): its clocks are ahead by the milliseconds in this file of its user folder,
 * for what n8n or the package does minutes later.
 */
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const file = join(process.env.N8N_USER_FOLDER, 'clock');
const system = Date.now;
const monotonic = performance.now.bind(performance);
let aheadMs = 0;

Date.now = () => system() + aheadMs;
performance.now = () => monotonic() + aheadMs;
setInterval(() => {
	try {
		aheadMs = Number(readFileSync(file, 'utf8'));
	} catch {
		// Nobody has changed the clock yet.
	}
}, 100).unref();
