import fc from 'fast-check';

/** CI generates the same cases each time, so that a change is judged by what it changed; elsewhere, each run has new ones. */
export function seedFor(seedInCi: number): number {
	return process.env.CI === undefined ? Date.now() % 2 ** 31 : seedInCi;
}

fc.configureGlobal({ seed: seedFor(1_903_117_264) });

export { fc };
