import { toTimeInWorkflow } from '../../nodes/VideoHosting/parameters/dates';

/**
 * Reads `{ timeZone, texts }` as JSON from standard input and writes for each text the moment in milliseconds, or the error:
 * a process of its own, as Jest's `process.env.TZ` does not reach the time zone of the process.
 */
async function main(): Promise<void> {
	const chunks: Buffer[] = [];
	for await (const chunk of process.stdin) chunks.push(chunk as Buffer); // standard input without an encoding
	const { timeZone, texts } = JSON.parse(Buffer.concat(chunks).toString()) as {
		timeZone: string;
		texts: string[];
	};
	const results = texts.map((text) => {
		try {
			return toTimeInWorkflow('Date', text, { timezone: timeZone });
		} catch (error) {
			return (error as Error).message;
		}
	});
	process.stdout.write(JSON.stringify({ offset: new Date(2026, 0, 1).getTimezoneOffset(), results }));
}

void main();
