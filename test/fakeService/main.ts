import { startService } from './index';

/** Runs the service with the settings in the first argument, as JSON; control.ts forks it, and learns where it is by a message. */
async function main(): Promise<void> {
	const service = await startService(JSON.parse(process.argv[2] ?? '{}'));
	const end = () => void service.close().then(() => process.exit(0));
	process.once('SIGINT', end).once('SIGTERM', end).once('disconnect', end);

	const { credential } = service;
	if (process.send) {
		process.send(credential);
		return;
	}
	console.log('The fake video hosting service is running. For the credential in n8n:', credential);
	console.log(`Control: ${credential.baseUrl}/_control (see test/fakeService/README.md). Ctrl-C ends it.`);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exit(1);
});
