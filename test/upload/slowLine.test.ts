import { randomBytes } from 'node:crypto';

import { startShapedLine } from '../bench/shapedLine';
import { startService, type RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { itemByMode } from '../sources/binaryModes';
import { expectArrived, onlyUpload, shortenPauses, upload } from './uploading';

shortenPauses();

const MB = 1_000_000;
/** Most bytes that Linux keeps for one connection on loopback: a send buffer of 4 MiB and a receive buffer of 6 MiB. */
const mostInSystemBuffers = 12 * MB;

let service: RunningService;
serviceForEachTest((started) => (service = started));

const { memory, filesystem, database } = itemByMode;
const modes = Object.entries({ memory, filesystem, database });

it('arrives in one try over a slow line that never stalls, in each mode, however long that takes', async () => {
	await Promise.all(
		modes.map(async ([, itemWith]) => {
			const bytes = randomBytes(36 * MB);
			const slow = await startService();
			const line = await startShapedLine({
				target: slow.baseUrl,
				roundTripMilliseconds: 20,
				bitsPerSecond: 8 * 6 * MB,
			});
			try {
				const { output } = await upload(slow, {
					bytes,
					item: await itemWith(bytes),
					credential: { baseUrl: line.baseUrl },
					options: { idleTimeoutSeconds: 4 },
				});
				expectArrived(slow, bytes);
				expect(output).toMatchObject({ resumes: 0, bytesSent: bytes.length });
				expect(line.bytesUp()).toBeLessThan(1.01 * bytes.length);
			} finally {
				await line.close();
				await slow.close();
			}
		}),
	);
}, 60_000);

it.each(modes)(
	'counts as sent what the connection accepted before a cut, not the whole file (%s mode)',
	async (_mode, itemWith) => {
		const bytes = randomBytes(40 * MB);
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: MB });
		const { output } = await upload(service, { bytes, item: await itemWith(bytes) });
		expectArrived(service, bytes);
		const { bytesReceived } = onlyUpload(service);
		expect(output.bytesSent).toBeGreaterThanOrEqual(bytesReceived);
		expect(output.bytesSent).toBeLessThan(bytesReceived + mostInSystemBuffers);
	},
);
