import { CredentialStore } from '../../execution/credentialStore';
import { executeNode } from '../../execution/executeNode';
import { builtNode } from '../installedPackage';
import { storeSparseFile } from '../storedFile';
import type { Upload } from './transfer';

const credentialStores = new Map<string, CredentialStore>();

/** The node of this package in n8n-core's own ExecuteContext, over n8n's HTTP helpers: n8n without its workflow engine. */
export const uploadWithNode: Upload = async ({
	credential,
	size,
	requestBytes,
	userFolder,
	packageFolder,
}) => {
	const credentialStore =
		credentialStores.get(credential.baseUrl) ?? new CredentialStore({ accessToken: '', ...credential });
	credentialStores.set(credential.baseUrl, credentialStore);
	await executeNode({
		service: { credential },
		credentialStore,
		nodeType: await builtNode(packageFolder),
		mode: 'trigger',
		items: [{ json: {}, binary: { data: storeSparseFile(userFolder, size) } }],
		parameters: {
			resource: 'upload',
			operation: 'upload',
			options: { returnVideo: false, maxRequestMegabytes: requestBytes / (1024 * 1024) },
		},
	});
};
