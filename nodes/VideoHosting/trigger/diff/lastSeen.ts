import { parseServiceDate } from '../../service/serviceDate';
import { fingerprint, type Identity } from './knownRecords';

/** What is kept of an event to report later what it was; undefined for what its record does not contain. */
export interface LastSeen {
	title?: string;
	/** As the service wrote it. */
	dateScheduled?: string;
	hash?: string;
	eventId?: number;
}

/** Bytes that a packed event may have as JSON: the state has at most 120 bytes per event, and contains the keys of one without identity. */
const MAX_BYTES = { withIdentity: 115, withoutIdentity: 95 };
const CHECKSUM_LENGTH = 6;

/** An event's identity in the state. */
export function eventIdentity({ hash, eventId }: LastSeen): Identity {
	return { hash, id: eventId === undefined ? undefined : `eventId ${eventId}` };
}

/**
 * A short text for an event: date, ID and hash without spaces, then the title after a colon. A title that makes it too long is
 * cut, and a checksum of the whole title comes before the colon: so texts differ when events do.
 */
export function pack({ title = '', dateScheduled = '', hash = '', eventId }: LastSeen): string {
	const fields = [packDate(dateScheduled), eventId?.toString(36) ?? '', packHash(hash)].join(' ');
	const whole = `${fields} :${title}`;
	const maxBytes = hash === '' && eventId === undefined ? MAX_BYTES.withoutIdentity : MAX_BYTES.withIdentity;
	if (bytesOf(whole) <= maxBytes) return whole;
	const checksum = fingerprint(title).slice(0, CHECKSUM_LENGTH);
	let length = Math.min(title.length, maxBytes);
	let cut: string;
	do {
		length--;
		// Not in the middle of a surrogate pair.
		cut = `${fields} ${checksum}:${title.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')}`;
	} while (length > 0 && bytesOf(cut) > maxBytes);
	return cut;
}

/** What {@link pack} made a text of; a title that was cut ends with an ellipsis. */
export function unpack(packed: string): LastSeen {
	const [, date = '', id = '', hash = '', checksum = '', title = ''] =
		/^(\S*) (\S*) (\S*) ([^:]*):(.*)$/s.exec(packed) ?? [];
	return {
		...(title === '' ? {} : { title: checksum === '' ? title : `${title}…` }),
		...(date === '' ? {} : { dateScheduled: unpackDate(date) }),
		...(hash === '' ? {} : { hash: unpackHash(hash) }),
		...(id === '' ? {} : { eventId: parseInt(id, 36) }),
	};
}

function bytesOf(text: string): number {
	return Buffer.byteLength(JSON.stringify(text));
}

/** Marks what is not in the usual form and is kept as it is. */
const VERBATIM = '=';

/** `YYYY-MM-DD HH:mm:ss` (docs/api-reference.md#event) as seconds, with 36 digits. */
function packDate(date: string): string {
	if (date === '') return '';
	const parsed = parseServiceDate(date);
	const short = parsed?.kind === 'local' ? (parsed.local / 1000).toString(36) : '';
	return short !== '' && unpackDate(short) === date ? short : verbatim(date);
}

function unpackDate(packed: string): string {
	if (packed.startsWith(VERBATIM)) return decodeURIComponent(packed.slice(1));
	return new Date(parseInt(packed, 36) * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

/** A hash of hexadecimal digits in base64url. */
function packHash(hash: string): string {
	if (hash === '') return '';
	const short = Buffer.from(hash, 'hex').toString('base64url');
	return short !== '' && unpackHash(short) === hash ? short : verbatim(hash);
}

function unpackHash(packed: string): string {
	if (packed.startsWith(VERBATIM)) return decodeURIComponent(packed.slice(1));
	return Buffer.from(packed, 'base64url').toString('hex');
}

function verbatim(text: string): string {
	// encodeURIComponent throws for half of a surrogate pair.
	return VERBATIM + encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'));
}
