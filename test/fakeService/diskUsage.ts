import type { ResponseSpec } from './responses';
import type { Call } from './call';
import { requireFolder } from './folders';
import type { Video } from './state';
import { visibleVideos } from './videos';

/** See docs/api-reference.md#disk-usage-of-the-application: bytes of the application's videos. */
export function diskUsageByApplication({ applicationId, state }: Call): ResponseSpec {
	const videos = visibleVideos(state.videos).filter((video) => video.applicationId === applicationId);
	const diskUsage = bytesOf(videos);
	return { status: 200, json: { applicationId, diskUsage, videos: videos.length } };
}

/** See docs/api-reference.md#disk-usage-of-a-gallery: bytes of one gallery and of each of its videos. */
export function diskUsageByFolder({ segments, state }: Call): ResponseSpec {
	const folder = requireFolder(segments.uuid, state);
	const videos = visibleVideos(state.videos).filter((video) => video.folder === folder.uuid);
	const diskUsage = bytesOf(videos);
	return {
		status: 200,
		json: {
			folder: folder.name,
			uuid: folder.uuid,
			diskUsage,
			videos: videos.map(({ hash, name, size }) => ({ hash, name, diskUsage: size })),
		},
	};
}

function bytesOf(videos: readonly Video[]): number {
	return videos.reduce((sum, video) => sum + video.size, 0);
}
