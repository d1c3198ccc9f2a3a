import { execFileSync } from 'node:child_process';
import process from 'node:process';

/**
 * Checks that the subjects of this repository's commits have at most 72 characters. Exits with 1 otherwise. A shallow clone
 * has some of the commits, and a tarball none: what is not there is not checked.
 */
const LONGEST = 72;
/** Author date of the first commit that the rule applies to, in seconds since the epoch. */
const RULE_SINCE = Date.parse('2026-11-21T16:00:00Z') / 1000;

/** @returns '' when git or the repository is missing */
function git(...args) {
	try {
		return execFileSync('git', args, {
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'ignore'],
			maxBuffer: 2 ** 28,
		});
	} catch {
		return '';
	}
}

// npm runs this in the package's folder, which may be unpacked inside another project's repository.
const isRepository = git('rev-parse', '--show-prefix') === '\n';
const log = isRepository ? git('log', '--no-merges', '--format=%h%x09%at%x09%s', 'HEAD') : '';
const long = log
	.split('\n')
	.map((line) => line.split('\t'))
	.filter(([, authoredAt]) => Number(authoredAt) >= RULE_SINCE)
	.map(([hash, , ...subject]) => ({ hash, subject: subject.join('\t') }))
	// Merges that GitHub makes of a pull request; in a shallow clone they have no parents and look like other commits.
	.filter(({ subject }) => [...subject].length > LONGEST && !subject.startsWith('Merge '));
for (const { hash, subject } of long) {
	const { length } = [...subject];
	process.stderr.write(`${hash}: the subject has ${length} characters, ${LONGEST} are allowed: ${subject}\n`);
}
process.exit(long.length > 0 ? 1 : 0);
