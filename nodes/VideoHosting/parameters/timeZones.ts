// Until all rooms import them from there.
export { TIME_ZONES, toInstant, WORKFLOW_TIME_ZONE, zoneOffsetMs } from './dates';
