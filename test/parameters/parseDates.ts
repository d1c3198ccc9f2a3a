import { toTimeInWorkflow } from '../../nodes/VideoHosting/parameters/dates';

/** Reads `[text, timeZone]` pairs as JSON from standard input, and writes for each text the instant as ISO 8601, or the error. */
async function main(): Promise<void> {
	const chunks: Buffer[] = [];
	for await (const chunk of process.stdin) chunks.push(chunk as Buffer); // standard input without an encoding
	const pairs = JSON.parse(Buffer.concat(chunks).toString()) as Array<[text: string, timeZone: string]>;
	const results = pairs.map(([text, timezone]) => {
		try {
			return new Date(toTimeInWorkflow('Date', text, { timezone }) ?? NaN).toISOString();
		} catch (error) {
			return (error as Error).message;
		}
	});
	process.stdout.write(JSON.stringify({ offset: new Date(2026, 0, 1).getTimezoneOffset(), results }));
}

void main();
