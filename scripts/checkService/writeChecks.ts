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
import type { Check, Options } from './checkService';

/** As the node writes an External ID into a title. */
const INVISIBLE = '\u200B\u200C\u200D\u2060'.repeat(8);
/** How often a list is read for something new, every 1.5 seconds; and how often while everything is deleted. */
const [LOOKS, LAST_LOOKS] = [120, 20];
const NEWEST = { limit: 50, options: { orderBy: 'created_date', sort: 'DESC' } };
/** A `free` box of 2 MB, which players skip (ISO/IEC 14496-12 §8.1.2): its size, its type, and zeros. */
const FREE_BOX = Buffer.concat([Buffer.from('001e8480', 'hex'), Buffer.from('free')], 2_000_000);
/** A video of two seconds. */
const VIDEO = Buffer.concat([readFileSync(join(__dirname, 'video.mp4')), FREE_BOX]);
const PICTURE = readFileSync(join(repository, 'docs', 'pictures', 'workflow.png'));

/** Makes an event, a folder and a video, changes them, finds them again, and deletes them, also after a failure. */
export class WriteChecks {
	/** Hash or UUID of what was made; '' for what may have been made, or does not show it. */
	private readonly made: Partial<Record<RecordKind, string>> = {};

	/** ID of the upload whose bytes are not sent yet. */
	private unfinished?: string;

	/** Only what is made here has it in its name. */
	private readonly stamp = randomBytes(4).toString('hex');

	private readonly name = `n8n check, please delete (${this.stamp})`;

	/** @param trigger for new events */
	constructor(
		private readonly check: Check,
		private readonly trigger: ActiveTrigger,
	) {}

	/** @throws the reason of the signal after Ctrl-C, when all is deleted */
	async run(): Promise<void> {
		try {
			await this.checkFolder();
			await this.checkEvent();
			await this.checkVideo();
		} finally {
			this.check.isEnding = true;
			await this.deleteAll();
		}
	}

	private async checkFolder(): Promise<void> {
		const { name } = this;
		await this.create('folder', { name });
		await this.use('folder', 'folder/update', { updateFields: { name: `${name}!`, description: name } });
		await this.use('folder', 'diskUsage/getFolder');
	}

	private async checkEvent(): Promise<void> {
		const { check, made, name } = this;
		await this.create('event', { title: name, dateScheduled: dateIn(365 * DAY_MS) });
		const { value: reported } = await check.watch('trigger', this.trigger.poll);
		if (made.event && !reported?.some(this.isOwn))
			check.notes.push(['trigger', 'the new event is not reported']);
		const title = `${name}!${INVISIBLE}`;
		await this.use('event', 'event/update', { title });
		const read = await this.use('event', 'event/get');
		const shown = JSON.stringify(read?.last.body ?? title);
		if (!shown.includes(`${name}!`)) check.notes.push(['eventUpdate', 'the new title is not shown']);
		else if (!shown.includes(title)) check.notes.push(['eventUpdate', 'titles lose invisible characters']);
		for (const change of check.setup.live ? ['start', 'end'] : []) await this.use('event', `event/${change}`);
	}

	private async checkVideo(): Promise<void> {
		const { check, name } = this;
		// Nothing but a creation asks whether another upload runs: 429 says so.
		const parameters = { fileName: `${name}.mp4`, size: VIDEO.length, options: { maxWaitMinutes: 1 } };
		const { value: [created] = [] } = await check.run('upload/create', parameters);
		if (!created) return;
		this.unfinished = String(created.uploadId);
		await this.send();
		if (!(await this.find('video', LOOKS))) return;
		await this.use('video', 'video/update', { name: `${name}!` });
		const { value: found } = await check.run('video/search', { name: `${name}!` });
		if (!found?.some(this.isOwn)) check.notes.push(['videoSearch', 'a renamed video is not found']);
		const items = [await itemWithFile(PICTURE, { fileName: 'picture.png', mimeType: 'image/png' })];
		await this.use('video', 'video/setThumbnail', { source: 'binary' }, { items });
		if (!this.made.folder) return;
		const moved = await this.use('video', 'video/move', { folder: this.place('folder') });
		if (moved?.value && !(await this.inFolder())?.some(this.isOwn))
			check.notes.push(['videoList', 'a moved video does not show its folder']);
	}

	/** Sends the file in two requests. */
	private async send(): Promise<void> {
		const items = [await itemWithFile(VIDEO, { fileName: `${this.name}.mp4`, mimeType: 'video/mp4' })];
		const options = { maxRequestMegabytes: 1, maxWaitMinutes: 1, returnVideo: false };
		const parameters = { uploadId: this.unfinished ?? '', source: 'binary', options };
		const { value } = await this.check.run('upload/resume', parameters, { items });
		if (value) this.unfinished = undefined;
		this.made.video ??= '';
	}

	/** Creates a record, and waits until it is listed. */
	private async create(kind: 'event' | 'folder', parameters: INodeParameters): Promise<void> {
		const { value, last } = await this.check.run(`${kind}/create`, parameters);
		// What the service rejects is not made.
		if (!value && last.status >= 400 && last.status < 500) return;
		this.made[kind] = idOf(value?.[0]);
		await this.find(kind, LOOKS);
	}

	/** Runs an operation on what was made, if its ID is known. */
	private async use(kind: RecordKind, operation: string, more?: INodeParameters, options?: Options) {
		if (!this.made[kind]) return undefined;
		return await this.check.run(operation, { [kind]: this.place(kind), ...more }, options);
	}

	/** Reads a list until it shows what was made. Returns whether its ID is known. */
	private async find(kind: RecordKind, looks: number): Promise<boolean> {
		const { check, made, name } = this;
		const since = Date.now();
		for (let look = 1; look <= looks; look++) {
			const isSearch = kind === 'video' && look % 2 === 0;
			const parameters = isSearch ? { name } : kind === 'video' ? NEWEST : { returnAll: true };
			const { error, last, value } = await check.run(
				isSearch ? 'video/search' : `${kind}/getAll`,
				parameters,
			);
			const found = value?.find(this.isOwn);
			const seconds = Number(((Date.now() - since) / 1000).toPrecision(2));
			if (found && look > 1) check.notes.push([last.row, `a new ${kind} was listed after ${seconds} s`]);
			if (found) made[kind] ||= idOf(found);
			if (found ?? error) break;
			if (look === LOOKS) check.notes.push([last.row, `a new ${kind} was not listed after ${seconds} s`]);
			await sleep(POLICIES.newVideo.passes.longestBackoffMs);
		}
		return Boolean(made[kind]);
	}

	/** The videos in the folder; undefined when videos do not show theirs. */
	private async inFolder(): Promise<IDataObject[] | undefined> {
		const parameters = { returnAll: true, filters: { folder: this.place('folder') } };
		return (await this.check.run('video/getAll', parameters, { mayFail: true })).value;
	}

	/** Deletes by IDs alone, and the folder only when nothing is in it. */
	private async deleteAll(): Promise<void> {
		const { check, made, name } = this;
		if (this.unfinished !== undefined) await this.send();
		for (const kind of ['video', 'event', 'folder'] as const) {
			if (made[kind] === undefined) continue;
			if (made[kind] === '') await this.find(kind, LAST_LOOKS);
			// Where videos do not show their folder, nobody else can have put one into a folder that is so new.
			const isFree = kind !== 'folder' || ((await this.inFolder()) ?? check.left).length === 0;
			const deleted = isFree && (await this.use(kind, `${kind}/delete`));
			const isUpload = kind === 'video' && this.unfinished !== undefined;
			if (!deleted || !deleted.value)
				check.left.push(
					isUpload ? `the unfinished upload ${this.unfinished}` : `${kind} ${made[kind] || name}`,
				);
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
