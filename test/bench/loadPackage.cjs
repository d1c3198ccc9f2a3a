/*
 * Loads the package in the folder given as argument as n8n does, each class made once, and prints how long that took and
 * how much heap it keeps: { milliseconds, bytes }. Plain JavaScript, and n8n-workflow loaded before, so that nothing but
 * the package is in the figures. Run with --expose-gc.
 */
const path = require('node:path');
const { createRequire } = require('node:module');

const folder = process.argv[2];
const { n8n } = require(path.join(folder, 'package.json'));
createRequire(path.join(folder, 'package.json'))('n8n-workflow');

globalThis.gc();
const before = process.memoryUsage().heapUsed;
const started = performance.now();
const made = [...n8n.credentials, ...n8n.nodes].flatMap((file) =>
	Object.values(require(path.join(folder, file))).map((Loaded) => new Loaded()),
);
const milliseconds = performance.now() - started;
globalThis.gc();
console.log(
	JSON.stringify({ milliseconds, bytes: process.memoryUsage().heapUsed - before, classes: made.length }),
);
