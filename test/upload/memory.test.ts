import { newPending, UploadMemory, type PendingUpload } from '../../nodes/VideoHosting/upload/memory';

const file = { name: 'keynote.mp4', size: 5 };
const pendingOf = (uploadId: string): PendingUpload => ({
	...newPending({ uploadId, file }),
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
