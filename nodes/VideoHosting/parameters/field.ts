// Until all rooms import it from there.
export type { Conversion, Entered, Parameter } from './parameter';
