import type { IExecuteFunctions } from 'n8n-workflow';

import { createProgressReporter } from '../../nodes/VideoHosting/upload/progress';

/** What the console of the browser shows of an upload that moves at a steady pace. */
function consoleOf(size: number, bytesPerSecond: number, mode = 'manual'): string[] {
	const messages: string[] = [];
	let at = 0;
	const context = {
		getMode: () => mode,
		sendMessageToUI: (message: string) => messages.push(message),
	} as Partial<IExecuteFunctions> as IExecuteFunctions; // of the context, only these are used
	const report = createProgressReporter(context, 'keynote.mp4', size, () => at);
	const step = bytesPerSecond / 10;
	for (let offset = 0; offset < size; at += 100) {
		offset = Math.min(size, offset + step);
		report(offset);
	}
	return messages;
}

describe('the progress of an upload in the console', () => {
	it('reports percent, speed and time left', () => {
		expect(consoleOf(1_000_000_000, 10_000_000)).toContain(
			'Upload of keynote.mp4: 5 %, 51 MB of 1 GB, 10 MB/s, 1 min 35 s left',
		);
	});

	it('comes at every 5 % of an upload of minutes', () => {
		expect(consoleOf(1_000_000_000, 10_000_000).length).toBeLessThanOrEqual(22);
	});

	it('comes not more than once a second in an upload of seconds', () => {
		expect(consoleOf(1_000_000_000, 500_000_000).length).toBeLessThanOrEqual(4);
	});

	it('comes every 15 seconds in an upload of hours', () => {
		const messages = consoleOf(36_000_000_000, 10_000_000);
		expect(messages.length).toBeGreaterThan(230);
		expect(messages.length).toBeLessThan(260);
	});

	it('ends with 100 %', () => {
		expect(consoleOf(12_345, 1_000).at(-1)).toMatch(/: 100 %, 12\.3 kB of 12\.3 kB/);
	});

	it('is for manual runs alone', () => {
		expect(consoleOf(1_000, 100, 'trigger')).toEqual([]);
	});
});
