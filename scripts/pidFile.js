const { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { dirname } = require('node:path');

/**
 * Claims a file for this process, until `release` or the end of the process. The file of a process that was killed is free.
 *
 * @param {string} file
 * @returns {number} ID of the process that has the file now: this one, or another one that runs
 */
function claim(file) {
	mkdirSync(dirname(file), { recursive: true });
	// Only a file that is complete appears under the name, so nobody reads one without an ID.
	const own = `${file}.${process.pid}`;
	writeFileSync(own, String(process.pid));
	try {
		linkSync(own, file);
	} catch (error) {
		if (error.code !== 'EEXIST') throw error;
		const holder = holderOf(file);
		if (holder === undefined) return claim(file);
		if (isRunning(holder)) return holder;
		// Of two that find the file of a killed process, one may replace it: the other one would replace that of the first.
		const succession = `${file}.after-${holder}`;
		const successor = claim(succession);
		if (successor !== process.pid) return successor;
		if (holderOf(file) === holder) renameSync(own, file);
		release(succession);
		if (holderOf(file) !== process.pid) return claim(file);
	} finally {
		rmSync(own, { force: true });
	}
	process.once('exit', () => release(file));
	return process.pid;
}

function release(file) {
	if (holderOf(file) === process.pid) rmSync(file);
}

/** @returns {number | undefined} */
function holderOf(file) {
	try {
		return Number(readFileSync(file, 'utf8'));
	} catch (error) {
		if (error.code !== 'ENOENT') throw error;
	}
}

function isRunning(pid) {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return error.code === 'EPERM';
	}
}

module.exports = { claim, release };
