import type { VideoHosting } from '../../../nodes/VideoHosting/VideoHosting.node';

/** Modules that n8n itself provides: a new process of the model has a new node, but the same n8n. */
const SHARED = ['n8n-workflow', '../../execution/executeNode'];

/**
 * The node as a new n8n process loads it: with nothing in memory, and with the short pauses of the tests.
 */
export function nodeOfNewProcess(): VideoHosting {
	const shared = new Map<string, unknown>(SHARED.map((name) => [name, jest.requireActual(name)]));
	let node: VideoHosting | undefined;
	jest.isolateModules(() => {
		for (const [name, loaded] of shared) jest.doMock(name, () => loaded);
		try {
			// Modules of this registry alone.
			const uploading = jest.requireActual<typeof import('../uploading')>('../uploading');
			const nodes = jest.requireActual<typeof import('../../../nodes/VideoHosting/VideoHosting.node')>(
				'../../../nodes/VideoHosting/VideoHosting.node',
			);
			jest.requireActual('../../execution/shortRequestPauses');
			uploading.setShortPauses();
			const { videoPolicy } = jest.requireActual<
				typeof import('../../../nodes/VideoHosting/upload/newVideo')
			>('../../../nodes/VideoHosting/upload/newVideo');
			// Longer than most lists lag; one that hangs is read again.
			Object.assign(videoPolicy, { waitMs: 250, requestMs: 100 });
			node = new nodes.VideoHosting();
		} finally {
			for (const name of shared.keys()) jest.dontMock(name);
		}
	});
	if (!node) throw new Error('The node was not loaded');
	return node;
}
