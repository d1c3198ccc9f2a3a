import { dispositionFileName, urlFileName } from '../../nodes/VideoHosting/sources/fileNames';
import { fc } from '../execution/generated';

it.each<[string, string | undefined]>([
	['attachment', undefined],
	['ATTACHMENT; FileName = " a b.mp4 "', 'a b.mp4'],
	["attachment; filename=ue.mp4; filename*=UTF-8''%C3%BC.mp4", 'ü.mp4'],
	["attachment; filename*=UTF-8''%E6%9D%B1.mp4", '東.mp4'],
	["attachment; filename*=UTF-8''%FF.mp4; filename=fallback.mp4", 'fallback.mp4'],
	['attachment; filename="../../etc/passwd"', 'passwd'],
	["attachment; filename*=UTF-8''..%2F..%2Ftalk.mp4", 'talk.mp4'],
	['attachment; filename=".."', undefined],
	[Buffer.from('attachment; filename="ü.mp4"', 'utf8').toString('latin1'), 'ü.mp4'],
	['attachment; filename="\xfc.mp4"', 'ü.mp4'],
	['attachment; filename="a\r\nb.mp4"', 'ab.mp4'],
	['attachment; filename="%E6%97%A5.mp4"', '日.mp4'],
	['attachment; filename=a%20b.mp4', 'a b.mp4'],
	['attachment; filename="%2Fvar%2Ftalk.mp4"', 'talk.mp4'],
	['attachment; filename="100%.mp4"', '100%.mp4'],
	['attachment; filename="%FF%20a.mp4"', '%FF%20a.mp4'],
	["attachment; filename*=UTF-8''a%2520b.mp4", 'a%20b.mp4'],
])('The name in Content-Disposition %j', (header, name) => {
	expect(dispositionFileName(header)).toBe(name);
});

it('The name in Content-Disposition never contains a path or a control character, and never throws', () => {
	const byteString = fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('latin1'));
	fc.assert(
		fc.property(byteString, (text) => {
			for (const header of [text, `attachment; filename=${text}`, `attachment; filename*=UTF-8''${text}`]) {
				const name = dispositionFileName(header);
				expect(name === undefined || !/[\\/\p{Cc}]/u.test(name)).toBe(true);
			}
		}),
	);
});

it.each<[string, string | undefined]>([
	['https://example.com/a/', undefined],
	['https://example.com/a/b.mp4?c=d.mp4#e.mp4', 'b.mp4'],
	['https://example.com/100%.mp4', '100%.mp4'],
	['https://example.com/a%2Fb.mp4', 'b.mp4'],
])('The name in %s', (url, name) => {
	expect(urlFileName(url)).toBe(name);
});
