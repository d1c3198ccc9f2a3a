import { authenticate } from './authenticate';
import type { Handler } from './call';
import { diskUsageByApplication, diskUsageByFolder } from './diskUsage';
import {
	eventDelete,
	eventInsert,
	eventSearchAll,
	eventSearchByHash,
	eventStartOrEnd,
	eventUpdate,
} from './events';
import { folderCreate, folderDelete, folderList, folderTotal, folderUpdate } from './folders';
import type { OperationName } from './operations';
import { uploadCreate, uploadHead } from './uploads';
import { videoDelete, videoEdit, videoList, videoMove, videoThumbnail } from './videos';

/** Every operation whose body is read before it is handled: all but the PATCH that carries a file's bytes. */
export const handlers: Record<Exclude<OperationName, 'uploadPatch'>, Handler> = {
	authenticate,
	eventInsert,
	eventUpdate,
	eventStartOrEnd,
	eventDelete,
	eventSearchByHash,
	eventSearchAll,
	folderTotal,
	folderList,
	folderCreate,
	folderUpdate,
	folderDelete,
	uploadCreate,
	uploadHead,
	videoDelete,
	videoThumbnail,
	videoEdit,
	videoList,
	videoMove,
	diskUsageByApplication,
	diskUsageByFolder,
};
