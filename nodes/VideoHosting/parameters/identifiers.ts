// Until all rooms import it from there.
export * from './references';
