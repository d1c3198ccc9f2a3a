import { listenForControl } from './controlServer';
import { flagHelp, readFlags } from './flags';
import { startService } from './index';

async function main(): Promise<void> {
	const flags = readFlags(process.argv.slice(2));
	if (flags.help) {
		console.log(flagHelp());
		return;
	}
	const service = await startService(flags.settings);
	service.seedEvents(flags.events);
	service.seedFolders(flags.folders);
	service.seedVideos(flags.videos);

	const control = await listenForControl(service, flags.controlPort);

	const end = () => {
		control.close();
		void service.close().then(() => process.exit(0));
	};
	process.once('SIGINT', end).once('SIGTERM', end);

	const { credential } = service;
	if (flags.json) {
		console.log(JSON.stringify({ credential, controlUrl: control.url }));
		process.stdin.once('end', end).resume();
		return;
	}
	console.log('The fake video hosting service is running. For the credential in n8n:\n');
	console.log(`  Base URL        ${credential.baseUrl}`);
	console.log(`  Email           ${credential.email}`);
	console.log(`  Password        ${credential.password}`);
	console.log(`  Application ID  ${credential.applicationId}`);
	console.log(`  Plan ID         ${credential.planId}`);
	console.log(`\nControl: ${control.url} (see test/fakeService/README.md). Ctrl-C ends it.`);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exit(1);
});
