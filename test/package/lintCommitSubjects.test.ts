import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const script = join(__dirname, 'lintCommitSubjects.mjs');
const LONG = `Explain ${'everything '.repeat(7)}`.trim();

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'commit-subjects-'));
	git('init', '--quiet');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function git(...args: string[]): void {
	const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
	execFileSync('git', ['-C', folder, ...author, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
}

function commit(subject: string, date = '2030-01-01T00:00:00Z'): void {
	git('commit', '--quiet', '--allow-empty', `--date=${date}`, '-m', subject, '-m', 'The reason.'.repeat(20));
}

const lint = (of = folder) => spawnSync(process.execPath, [script, of], { encoding: 'utf8' });

it('reports each subject of more than 72 characters', () => {
	commit('x'.repeat(72));
	commit('ü'.repeat(72));
	expect(lint()).toMatchObject({ status: 0, stderr: '' });
	commit(LONG);
	commit('Fix the typo');
	expect(lint()).toMatchObject({
		status: 1,
		stderr: expect.stringMatching(new RegExp(`^[0-9a-f]+: the subject has 84 .+: ${LONG}\n$`)) as string,
	});
});

it('accepts commits from before the rule and merges of pull requests', () => {
	commit(LONG, '2026-11-20T00:00:00Z');
	commit(`Merge ${'a'.repeat(40)} into ${'b'.repeat(40)}`);
	expect(lint().status).toBe(0);
});

it('checks what a shallow clone has', () => {
	commit(LONG);
	commit('Fix the typo');
	const clone = join(folder, 'clone');
	git('clone', '--quiet', '--depth=1', `file://${folder}`, clone);
	expect(lint(clone).status).toBe(0);
});

it('checks nothing without a history, nor the history of a repository around the folder', () => {
	expect(lint().status).toBe(0);
	commit(LONG);
	const unpacked = join(folder, 'unpacked');
	mkdirSync(unpacked);
	expect(lint(unpacked).status).toBe(0);
	rmSync(join(folder, '.git'), { recursive: true });
	expect(lint().status).toBe(0);
});
