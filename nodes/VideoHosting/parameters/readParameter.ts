// Until all rooms import it from there.
export { readParameter, checked } from './parameter';
