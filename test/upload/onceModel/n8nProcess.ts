import type { videoPolicy } from '../../../nodes/VideoHosting/upload/newVideo';
import type { VideoHosting } from '../../../nodes/VideoHosting/VideoHosting.node';

/** Modules that n8n itself provides: a new process of the model has a new node, but the same n8n. */
const SHARED = ['n8n-workflow', '../../execution/executeNode'];

export interface N8nProcess {
	node: VideoHosting;
	/** How long its uploads look for their videos. */
	videoPolicy: typeof videoPolicy;
}

/**
 * The node as a new n8n process loads it: with nothing in memory, and with the short pauses of the tests.
 */
export function newProcess(): N8nProcess {
	const shared = new Map<string, unknown>(SHARED.map((name) => [name, jest.requireActual(name)]));
	let loaded: N8nProcess | undefined;
	jest.isolateModules(() => {
		for (const [name, module] of shared) jest.doMock(name, () => module);
		try {
			// Modules of this registry alone.
			const uploading = jest.requireActual<typeof import('../uploading')>('../uploading');
			const nodes = jest.requireActual<typeof import('../../../nodes/VideoHosting/VideoHosting.node')>(
				'../../../nodes/VideoHosting/VideoHosting.node',
			);
			jest.requireActual('../../execution/shortRequestPauses');
			uploading.setShortPauses();
			const videos = jest.requireActual<typeof import('../../../nodes/VideoHosting/upload/newVideo')>(
				'../../../nodes/VideoHosting/upload/newVideo',
			);
			// Longer than most lists lag; one that hangs is read again.
			Object.assign(videos.videoPolicy, { waitMs: 300, requestMs: 200 });
			loaded = { node: new nodes.VideoHosting(), videoPolicy: videos.videoPolicy };
		} finally {
			for (const name of shared.keys()) jest.dontMock(name);
		}
	});
	if (!loaded) throw new Error('The node was not loaded');
	return loaded;
}
