import type { Kind } from '../kind';
import { eventCreated } from './eventCreated';
import { eventDeleted } from './eventDeleted';
import { eventStartsSoon } from './eventStartsSoon';
import { eventStatusChanged } from './eventStatusChanged';
import { eventUpdated } from './eventUpdated';
import { videoAdded } from './videoAdded';

/**
 * All kinds in the order of Trigger On, which is alphabetical. The key is the value that workflows store; it never changes. Panel,
 * settings, poll and texts are made from this list.
 */
export const KINDS: Record<string, Kind> = {
	eventCreated,
	eventDeleted,
	eventStartsSoon,
	eventStatusChanged,
	eventUpdated,
	videoAdded,
};
