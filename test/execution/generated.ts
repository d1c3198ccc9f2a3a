import fc from 'fast-check';

/** CI generates the same cases each time, so that a change is judged by what it changed; elsewhere, each run has new ones. */
if (process.env.CI !== undefined) fc.configureGlobal({ seed: 1_903_117_264 });

export { fc };
