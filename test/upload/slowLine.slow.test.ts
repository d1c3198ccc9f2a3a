import { randomBytes } from 'node:crypto';

import { startShapedLine } from '../bench/shapedLine';
import type { RunningService } from '../fakeService';
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

// The mode that returns the whole file in one chunk; test/matrix tests all modes.
it('arrives in one try over a slow line that never stalls, however long that takes', async () => {
	const bytes = randomBytes(30 * MB);
	const line = await startShapedLine({
		target: service.baseUrl,
		roundTripMilliseconds: 20,
		bitsPerSecond: 8 * 8 * MB,
	});
	const { output } = await upload(service, {
		bytes,
		item: await database(bytes),
		credential: { baseUrl: line.baseUrl },
		options: { idleTimeoutSeconds: 2.5 },
	});
	expectArrived(service, bytes);
	expect(output).toMatchObject({ resumes: 0, bytesSent: bytes.length });
	expect(line.bytesUp()).toBeLessThan(1.01 * bytes.length);
	await line.close();
});

it.each(Object.entries({ memory, filesystem, database }))(
	'counts as sent what the connection accepted before a cut, not the whole file (%s mode)',
	async (_mode, itemWith) => {
		const bytes = randomBytes(30 * MB);
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: MB });
		const { output } = await upload(service, { bytes, item: await itemWith(bytes) });
		expectArrived(service, bytes);
		const { bytesReceived } = onlyUpload(service);
		expect(output.bytesSent).toBeGreaterThanOrEqual(bytesReceived);
		expect(output.bytesSent).toBeLessThan(bytesReceived + mostInSystemBuffers);
	},
);
