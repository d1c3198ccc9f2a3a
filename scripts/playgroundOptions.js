const { createServer } = require('node:net');
const { join } = require('node:path');
const { parseArgs } = require('node:util');

const { claim } = require('./pidFile');

/** What outlives `npm start`: n8n's user folder, and the records of the fake service. */
const playground = join(__dirname, '..', '.run', 'playground');
/** Process ID of the `npm start` that runs. */
const pidFile = `${playground}.pid`;

/** Options of `npm start`, each with the port that is tried first without it. */
const FIRST_PORTS = { port: 5678, 'service-port': 25_678 };

/**
 * Reads the command line of `npm start`, and finds the ports of n8n and of the fake service on 127.0.0.1: those that it names, else
 * the first free one of the next hundred.
 *
 * @param {string[]} [args]
 * @returns {Promise<{ port: number, servicePort: number, dev: boolean, reset: boolean }>}
 * @throws Error that says what to enter, when an option is unknown or a named port is not free
 */
async function playgroundOptions(args) {
	const { values } = parseArgs({
		args,
		options: {
			dev: { type: 'boolean', default: false },
			port: { type: 'string' },
			'service-port': { type: 'string' },
			reset: { type: 'boolean', default: false },
		},
	});
	const port = await choosePort('port', values.port);
	const servicePort = await choosePort('service-port', values['service-port'], port);
	return { port, servicePort, dev: values.dev, reset: values.reset };
}

/**
 * Makes this process the only `npm start` of this clone: two n8n must not share a database.
 *
 * @throws Error when another one runs
 */
function claimPlayground() {
	const holder = claim(pidFile);
	if (holder !== process.pid)
		throw new Error(
			`npm start runs in this clone already, as process ${holder}. End it with Ctrl-C there; a second clone has a playground of its own. ` +
				`If that process is something else, delete ${pidFile}.`,
		);
}

async function choosePort(option, given, taken) {
	const first = given === undefined ? FIRST_PORTS[option] : Number(given);
	if (!Number.isInteger(first) || first < 1 || first > 65_535)
		throw new Error(`--${option} must be a number from 1 to 65535, not "${given}".`);
	for (let port = first; port < first + (given === undefined ? 100 : 1); port++)
		if (port !== taken && (await isFree(port))) return port;
	throw new Error(
		`Port ${first} of 127.0.0.1 is in use. Choose another one with --${option}, or leave the option out: npm start takes a free one.`,
	);
}

async function isFree(port) {
	return await new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});
}

module.exports = { claimPlayground, playground, playgroundOptions };
