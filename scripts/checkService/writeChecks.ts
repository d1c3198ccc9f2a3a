import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { RecordKind } from '../../nodes/VideoHosting/shared/assumptions';
import { POLICIES } from '../../nodes/VideoHosting/shared/policies';
import { DAY_MS, dateIn } from '../../test/execution/clock';
import { itemWithFile } from '../../test/execution/executeNode';
import { by } from '../../test/execution/locator';
import type { ActiveTrigger } from '../../test/execution/pollNode';
import { repository } from '../../test/pages';
import { Check, type Options } from './check';

/** As the node writes an External ID into a title. */
const INVISIBLE = '\u200B\u200C\u200D\u2060'.repeat(8);
/** How often a list is read for something new, every 1.5 seconds. */
const LOOKS = 80;
const NEWEST = { limit: 50, options: { orderBy: 'created_date', sort: 'DESC' } };
/** A `free` box of 2 MB, which players skip (ISO/IEC 14496-12 §8.1.2): its size, its type, and zeros. */
const FREE_BOX = Buffer.concat([Buffer.from('001e8480', 'hex'), Buffer.from('free')], 2_000_000);
/** A video of two seconds. */
const VIDEO = Buffer.concat([readFileSync(join(__dirname, 'video.mp4')), FREE_BOX]);
const PICTURE = readFileSync(join(repository, 'docs', 'pictures', 'workflow.png'));

/** Makes an event, a folder and a video, changes them, finds them again, and deletes them, also after a failure. */
export class WriteChecks extends Check {
	/** What could not be deleted. */
	readonly left: string[] = [];

	/** Hash or UUID of what was made; '' for what may have been made, or does not show it. */
	private readonly made: Partial<Record<RecordKind, string>> = {};

	/** ID of the upload whose bytes are not sent yet. */
	private unfinished?: string;

	/** Only what is made here has it in its name. */
	private readonly stamp = randomBytes(4).toString('hex');

	private readonly title = `n8n check, please delete (${this.stamp})`;

	private readonly newTitle = `${this.title}!`;

	/**
	 * @param trigger for new events
	 * @throws the reason of the signal after Ctrl-C, when all is deleted
	 */
	async changeAll(trigger: ActiveTrigger): Promise<void> {
		try {
			await this.changeRecords(trigger);
			await this.changeVideo();
		} finally {
			this.isEnding = true;
			await this.deleteAll();
		}
	}

	/** Makes a folder and an event. */
	private async changeRecords(trigger: ActiveTrigger): Promise<void> {
		const { made, newTitle, notes } = this;
		await this.create('folder', { name: this.title });
		await this.use('folder', 'folder/update', { updateFields: { name: newTitle } });
		await this.use('folder', 'diskUsage/getFolder');

		await this.create('event', { title: this.title, dateScheduled: dateIn(365 * DAY_MS) });
		const { value: reported } = await this.watch('trigger', trigger.poll);
		if (made.event && !reported?.some(this.isOwn)) notes.push(['trigger', 'the new event is not reported']);
		const title = newTitle + INVISIBLE;
		await this.use('event', 'event/update', { title });
		const read = await this.use('event', 'event/get');
		const shown = JSON.stringify(read?.last.body ?? title);
		if (!shown.includes(newTitle)) notes.push(['eventUpdate', 'the new title is not shown']);
		else if (!shown.includes(title)) notes.push(['eventUpdate', 'titles lose invisible characters']);
		for (const change of this.setup.live ? ['start', 'end'] : []) await this.use('event', `event/${change}`);
	}

	/** Makes a video, in no folder at first. */
	private async changeVideo(): Promise<void> {
		const { made, newTitle, notes } = this;
		// Nothing but a creation asks whether another upload runs: 429 says so.
		const parameters = { fileName: `${this.title}.mp4`, size: VIDEO.length, options: { maxWaitMinutes: 1 } };
		const { value: [created] = [] } = await this.run('upload/create', parameters);
		if (!created) return;
		this.unfinished = String(created.uploadId);
		await this.send();
		if (this.unfinished === undefined) await this.find('video');
		const items = [await itemWithFile(PICTURE, { fileName: 'picture.png', mimeType: 'image/png' })];
		await this.use('video', 'video/setThumbnail', { source: 'binary' }, { items });
		if (made.folder) await this.use('video', 'video/move', { folder: this.place('folder') });
		await this.use('video', 'video/update', { name: newTitle });
		const found = await this.use('video', 'video/search', { name: newTitle });
		if (found && !found.value?.some(this.isOwn)) notes.push(['videoSearch', 'a renamed video is not found']);
	}

	/** Sends the file in two requests. */
	private async send(): Promise<void> {
		const items = [await itemWithFile(VIDEO, { fileName: `${this.title}.mp4`, mimeType: 'video/mp4' })];
		const options = { maxRequestMegabytes: 1, maxWaitMinutes: 1, returnVideo: false };
		const parameters = { uploadId: this.unfinished ?? '', source: 'binary', options };
		const { value } = await this.run('upload/resume', parameters, { items });
		if (value) this.unfinished = undefined;
		this.made.video ??= '';
	}

	/** Creates a record, and waits until it is listed. */
	private async create(kind: 'event' | 'folder', parameters: INodeParameters): Promise<void> {
		const { value, last } = await this.run(`${kind}/create`, parameters);
		// What the service rejects is not made.
		if (!value && last.status >= 400 && last.status < 500) return;
		this.made[kind] = idOf(value?.[0]);
		await this.find(kind);
	}

	/** Runs an operation on what was made, if its ID is known. */
	private async use(kind: RecordKind, operation: string, more?: INodeParameters, options?: Options) {
		if (!this.made[kind]) return undefined;
		return await this.run(operation, { [kind]: this.place(kind), ...more }, options);
	}

	/** Reads a list until it shows what was made, for its ID. A video is searched for, too. */
	private async find(kind: RecordKind): Promise<void> {
		const since = Date.now();
		for (let look = 1; look <= LOOKS; look++) {
			const isSearch = kind === 'video' && look % 2 === 0;
			const parameters = isSearch ? { name: this.title } : kind === 'video' ? NEWEST : { returnAll: true };
			const { error, last, value } = await this.run(isSearch ? 'video/search' : `${kind}/getAll`, parameters);
			const found = value?.find(this.isOwn);
			if (found) this.made[kind] ||= idOf(found);
			const after = `after ${Number(((Date.now() - since) / 1000).toPrecision(2))} s`;
			if (found && look > 1) this.notes.push([last.row, `a new ${kind} was listed ${after}`]);
			if (look === LOOKS) this.notes.push([last.row, `a new ${kind} was not listed ${after}`]);
			if (found ?? error) return;
			await sleep(POLICIES.newVideo.passes.longestBackoffMs);
		}
	}

	/** Deletes by IDs alone, and the folder only when nothing is in it. */
	private async deleteAll(): Promise<void> {
		const { left, made, title } = this;
		if (this.unfinished !== undefined) await this.send();
		for (const kind of ['video', 'event', 'folder'] as const) {
			if (made[kind] === undefined) continue;
			if (made[kind] === '') await this.find(kind);
			const inFolder = { returnAll: true, filters: { folder: this.place('folder') } };
			const isFolder = kind === 'folder' && made.folder !== '';
			const read = isFolder ? await this.run('video/getAll', inFolder, { mayFail: true }) : { value: [] };
			// Where videos do not show their folder, nobody else can have put one into a folder that is so new.
			const isFree = (read.value ?? left).length === 0;
			const deleted = isFree ? await this.use(kind, `${kind}/delete`) : undefined;
			if (deleted?.value) continue;
			const isUpload = kind === 'video' && this.unfinished !== undefined;
			left.push(isUpload ? `the unfinished upload ${this.unfinished}` : `${kind} ${made[kind] || title}`);
		}
	}

	/** Chooses what was made. */
	private readonly place = (kind: RecordKind) =>
		by(kind === 'folder' ? 'uuid' : 'hash', this.made[kind] ?? '');

	private readonly isOwn = (record: IDataObject) => JSON.stringify(record).includes(this.stamp);
}

/** The hash or UUID of a record; '' where the service does not show it. */
const idOf = (record?: IDataObject) => String(record?.hash ?? record?.uuid ?? '');
