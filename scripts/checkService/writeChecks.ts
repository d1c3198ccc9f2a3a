import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { RecordKind } from '../../nodes/VideoHosting/shared/assumptions';
import { POLICIES } from '../../nodes/VideoHosting/shared/policies';
import { mayBeCarriedOut } from '../../nodes/VideoHosting/transport/errorMeaning';
import { itemWithFile } from '../../test/execution/executeNode';
import { by } from '../../test/execution/locator';
import type { ActiveTrigger } from '../../test/execution/pollNode';
import { repository } from '../../test/pages';
import type { Check } from './checkService';
import { LIST_ROWS } from './forwarder';

/** As the node writes an External ID into a title. */
const INVISIBLE = '\u200B\u200C\u200D\u2060'.repeat(8);
const YEAR_MS = 365 * 86_400_000;
/** How often a list is read for something new, every 1.5 seconds; and how often while everything is deleted. */
const [LOOKS, LAST_LOOKS] = [120, 20];
/** A `free` box of 2 MB, which players skip (ISO/IEC 14496-12 §8.1.2): its size, its type, and zeros. */
const FREE_BOX = Buffer.concat([Buffer.from('001e8480', 'hex'), Buffer.from('free')], 2_000_000);

/** Makes an event, a folder and a video, changes them, finds them again, and deletes them, also after a failure. */
export class WriteChecks {
	/** Hash, UUID or upload ID of what was made; '' for what may have been made, or does not show it. */
	private readonly made: Partial<Record<RecordKind | 'upload', string>> = {};

	private isSent = false;

	/** Only what is made here has it in its name. */
	private readonly stamp = randomBytes(4).toString('hex');

	private readonly name = `n8n check, please delete (${this.stamp})`;

	/** A video of two seconds. */
	private readonly file = Buffer.concat([readFileSync(join(__dirname, 'video.mp4')), FREE_BOX]);

	/** @param trigger for new events */
	constructor(
		private readonly check: Check,
		private readonly trigger: ActiveTrigger,
	) {}

	/** @throws the reason of the signal after Ctrl-C, when all is deleted */
	async run(): Promise<void> {
		const { check, name } = this;
		const dateScheduled = new Date(Date.now() + YEAR_MS).toISOString().slice(0, 19);
		try {
			if (await this.create('folder', { name })) {
				const folder = this.place('folder');
				await check.step('folder/update', { folder, updateFields: { name: `${name}!`, description: name } });
				await check.step('diskUsage/getFolder', { folder });
			}
			if (await this.create('event', { title: name, dateScheduled })) await this.changeEvent();
			if (await this.upload()) await this.changeVideo();
		} finally {
			check.isEnding = true;
			await this.deleteAll();
		}
	}

	/** Creates a record, and waits until it is listed. Returns whether its ID is known. */
	private async create(kind: 'event' | 'folder', parameters: INodeParameters): Promise<boolean> {
		const [created] = (await this.check.step(`${kind}/create`, parameters)) ?? [];
		if (!created && !mayBeCarriedOut(this.check.error)) return false;
		this.made[kind] = idOf(created);
		return await this.find(kind, LOOKS);
	}

	private async changeEvent(): Promise<void> {
		const { check, name } = this;
		const reported = (await check.watch(this.trigger.poll())) ?? [];
		if (!reported.some(this.isOwn)) check.note('trigger', 'the new event is not reported');
		const [event, title] = [this.place('event'), `${name}!${INVISIBLE}`];
		await check.step('event/update', { event, title });
		await check.step('event/get', { event });
		const shown = JSON.stringify(check.exchanges.at(-1)?.body);
		if (!shown.includes(`${name}!`)) check.note('eventUpdate', 'the new title is not shown');
		else if (!shown.includes(title)) check.note('eventUpdate', 'titles lose invisible characters');
		for (const operation of check.setup.live ? ['event/start', 'event/end'] : [])
			await check.step(operation, { event });
	}

	/** Makes a video, and waits until it is listed. Returns whether its hash is known. */
	private async upload(): Promise<boolean> {
		const { check, file, name } = this;
		// Nothing but a creation asks whether another upload runs: 429 says so.
		const parameters = { fileName: `${name}.mp4`, size: file.length, options: { maxWaitMinutes: 1 } };
		const [created] = (await check.step('upload/create', parameters)) ?? [];
		if (!created) return false;
		const uploadId = (this.made.upload = String(created.uploadId));
		await this.send();
		const { error, last } = await check.attempt(check.run('upload/getStatus', { uploadId }));
		if (error !== undefined) check.note('uploadHead', `a finished upload is answered with ${last?.status}`);
		return await this.find('video', LOOKS);
	}

	/** Sends the file in two requests. */
	private async send(): Promise<void> {
		const items = [await itemWithFile(this.file, { fileName: `${this.name}.mp4`, mimeType: 'video/mp4' })];
		const options = { maxRequestMegabytes: 1, maxWaitMinutes: 1, returnVideo: false };
		const parameters = { uploadId: this.made.upload ?? '', source: 'binary', options };
		this.isSent = (await this.check.step('upload/resume', parameters, { items })) !== undefined;
	}

	private async changeVideo(): Promise<void> {
		const { check, made, name } = this;
		const [video, folder] = [this.place('video'), this.place('folder')];
		await check.step('video/update', { video, name: `${name}!` });
		const found = (await check.step('video/search', { name: `${name}!` })) ?? [];
		if (!found.some(this.isOwn)) check.note('videoSearch', 'a renamed video is not found');
		const picture = readFileSync(join(repository, 'docs', 'pictures', 'workflow.png'));
		const items = [await itemWithFile(picture, { fileName: 'picture.png', mimeType: 'image/png' })];
		await check.step('video/setThumbnail', { video, source: 'binary' }, { items });
		if (!made.folder || !(await check.step('video/move', { video, folder }))) return;
		if (!(await this.inFolder())?.some(this.isOwn))
			check.note('videoList', 'a moved video does not show its folder');
	}

	/** Reads a list until it shows what was made. Returns whether its ID is known. */
	private async find(kind: RecordKind, looks: number): Promise<boolean> {
		const { check, made, name } = this;
		const newest = { limit: 50, options: { orderBy: 'created_date', sort: 'DESC' } };
		const since = Date.now();
		for (let look = 1; look <= looks; look++) {
			const isSearch = kind === 'video' && look % 2 === 0;
			const parameters = isSearch ? { name } : kind === 'video' ? newest : { returnAll: true };
			const read = check.run(isSearch ? 'video/search' : `${kind}/getAll`, parameters);
			const { error, value } = await check.attempt(read);
			const found = value?.find(this.isOwn);
			const seconds = Number(((Date.now() - since) / 1000).toPrecision(2));
			if (found && look > 1) check.note(LIST_ROWS[kind], `a new ${kind} was listed after ${seconds} s`);
			if (found) made[kind] ||= idOf(found);
			if (found ?? error) break;
			if (look === LOOKS) check.note(LIST_ROWS[kind], `a new ${kind} was not listed after ${seconds} s`);
			await sleep(POLICIES.newVideo.passes.longestBackoffMs);
		}
		return Boolean(made[kind]);
	}

	/** The videos in the folder; undefined when videos do not show theirs. */
	private async inFolder(): Promise<IDataObject[] | undefined> {
		const parameters = { returnAll: true, filters: { folder: this.place('folder') } };
		return (await this.check.attempt(this.check.run('video/getAll', parameters))).value;
	}

	/** Deletes by IDs alone, and the folder only when nothing is in it. */
	private async deleteAll(): Promise<void> {
		const { check, made, name } = this;
		if (made.upload !== undefined && !this.isSent) await this.send();
		if (made.upload !== undefined && !made.video && !(await this.find('video', LAST_LOOKS)))
			check.left.push(`${this.isSent ? 'the video' : 'the unfinished rest'} of the upload ${made.upload}`);
		for (const kind of ['video', 'event', 'folder'] as const) {
			if (made[kind] === undefined) continue;
			const isKnown = made[kind] !== '' || (await this.find(kind, LAST_LOOKS));
			// Where videos do not show their folder, nobody else can have put one into a folder that is so new.
			const isFree = kind !== 'folder' || ((await this.inFolder()) ?? check.left).length === 0;
			const isDeleted =
				isKnown && isFree && (await check.step(`${kind}/delete`, { [kind]: this.place(kind) }));
			if (!isDeleted) check.left.push(`${kind} ${made[kind] || name}`);
		}
	}

	/** Chooses what was made. */
	private place(kind: RecordKind) {
		return by(kind === 'folder' ? 'uuid' : 'hash', this.made[kind] ?? '');
	}

	private readonly isOwn = (record: IDataObject) => JSON.stringify(record).includes(this.stamp);
}

/** The hash or UUID of a record; '' where the service does not show it. */
function idOf(record: IDataObject | undefined): string {
	return String(record?.hash ?? record?.uuid ?? '');
}
