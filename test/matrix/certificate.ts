import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const certificates = join(__dirname, '..', 'fakeService', 'loopbackCertificate');
/** Self-signed, for localhost and 127.0.0.1. */
export const certificateFile = join(certificates, 'cert.pem');
export const tls = {
	key: readFileSync(join(certificates, 'key.pem'), 'utf8'),
	cert: readFileSync(certificateFile, 'utf8'),
};
