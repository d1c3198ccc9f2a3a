// Until all rooms import it from there.
export { UNREACHABLE } from './errorTexts';
