import { UploadMemory, type PendingUpload } from '../../nodes/VideoHosting/upload/memory';

const file = { name: 'keynote.mp4', size: 5 };
const pendingOf = (uploadId: string): PendingUpload => ({
	...{ uploadId, file, title: '', offset: 0, isSent: false, at: 0 },
});

it('Of more than 1,000 pending uploads, and of uploaded videos, the oldest are forgotten', () => {
	const memory = new UploadMemory();
	for (let count = 0; count <= 1_000; count++) {
		memory.put(pendingOf(`pending-${count}`));
		memory.acknowledge(pendingOf(`uploaded-${count}`));
	}
	expect(memory.find('pending-0')).toBeUndefined();
	expect(memory.find('pending-1')).toBeDefined();
	expect(memory.uploaded).toHaveLength(1_000);
	expect(memory.uploaded.at(-1)?.uploadId).toBe('uploaded-1000');
});

it('A pending upload that is taken out is known to nobody until it is put back', () => {
	const memory = new UploadMemory();
	memory.put(pendingOf('a'));
	memory.put(pendingOf('b'));
	expect(memory.findPending(file, false)?.uploadId).toBe('b');
	memory.take(pendingOf('b'));
	expect(memory.find('b')).toBeUndefined();
	expect(memory.findPending(file, false)?.uploadId).toBe('a');
});
