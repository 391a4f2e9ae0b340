/** The pieces of the document lane: minified Office files, checks of results, the spool. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hashBytes } from '../../src/disk.ts';
import { wrongResult } from '../../src/documents/check-result.ts';
import { estimateDocument } from '../../src/documents/estimate.ts';
import { withMedia, withoutMedia } from '../../src/documents/minify.ts';
import type { PurchaseKey } from '../../src/documents/rules/purchase.ts';
import { Spool } from '../../src/documents/spool.ts';
import { JobFailure } from '../../src/failure.ts';
import { openZip } from '../../src/zip.ts';
import { manualClock } from '../manual-clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { wordFile } from './word-file.ts';

const KEY = 'abc' as PurchaseKey;
const IMAGES = new Map([
  ['word/media/image1.png', randomBytes(100_000)],
  ['word/media/film.mp4', randomBytes(50_000)],
]);

test('what was taken out is put back, so that the whole file is the same again', () => {
  const source = wordFile('Hello', IMAGES);
  const light = withoutMedia(source, 'a.docx');
  expect(light.byteLength).toBeLessThan(5000);
  expect(openZip(light, 'a.docx').entries).toHaveLength(openZip(source, 'a.docx').entries.length);
  expect(Buffer.from(withMedia(light, source, 'a.docx'))).toEqual(Buffer.from(source));
});

test('a result without one of the media is refused', () => {
  const source = wordFile('Hello', IMAGES);
  expect(() => withMedia(wordFile('Hallo'), source, 'a.docx')).toThrow(/word\/media\/image1\.png/);
});

test('a result must be a whole document of its kind', async () => {
  const folder = await temporaryFolder();
  const wrong = async (bytes: Uint8Array, extension: string) => {
    const file = join(folder, 'result');
    await writeFile(file, bytes);
    return await wrongResult(file, extension);
  };
  const whole = wordFile('Hello');
  expect(await wrong(whole, 'docx')).toBeUndefined();
  expect(await wrong(whole.subarray(0, 400), 'docx')).toMatch(/not whole/);
  expect(await wrong(Buffer.alloc(0), 'txt')).toMatch(/empty/);
  expect(await wrong(Buffer.from('<html>error</html>'), 'docx')).toMatch(/not whole/);
  expect(await wrong(Buffer.from('Hallo'), 'txt')).toBeUndefined();
});

test('a damaged Office file has no price but a reason', async () => {
  const file = join(await temporaryFolder(), 'a.docx');
  await writeFile(file, Buffer.concat([Buffer.from('PK'), randomBytes(3000)]));
  const estimate = estimateDocument(file, { extension: 'docx', name: 'a.docx' });
  await expect(estimate).rejects.toBeInstanceOf(JobFailure);
});

test('the spool takes a source only as it was promised', async () => {
  const folder = await temporaryFolder();
  const spool = new Spool(join(folder, 'spool'));
  await writeFile(join(folder, 'a.txt'), 'Hello');
  expect(await spool.takeSource(KEY, join(folder, 'a.txt'), hashBytes('Hello'))).toBe(true);
  expect(await readFile(spool.sourceOf(KEY), 'utf8')).toBe('Hello');
  expect(await spool.takeSource(KEY, join(folder, 'a.txt'), hashBytes('Other'))).toBe(false);
  expect(existsSync(spool.sourceOf(KEY))).toBe(false);
  expect(await spool.takeSource(KEY, join(folder, 'gone.txt'), hashBytes('x'))).toBe(false);
});

test('a download becomes the result only when it is finished, and is forgotten after its time', async () => {
  const folder = join(await temporaryFolder(), 'spool');
  const spool = new Spool(folder);
  await using part = await spool.part(KEY);
  await part.write(Buffer.from('Hallo'));
  expect(await spool.result(KEY)).toBeUndefined();
  await part.finish();
  expect(await spool.acceptPart(KEY)).toMatchObject({ hash: hashBytes('Hallo'), size: 5 });
  const clock = manualClock();
  const old = new Date(clock.now() - 60_000);
  await utimes(spool.resultOf(KEY), old, old);
  await spool.sweep({ keepMs: 61_000, clock }, () => false);
  await spool.sweep({ keepMs: 1000, clock }, () => true);
  expect(await spool.result(KEY)).toBeDefined();
  await spool.sweep({ keepMs: 1000, clock }, () => false);
  expect(await spool.result(KEY)).toBeUndefined();
});

test('no room for a result is said before the one download is asked for', async () => {
  const spool = new Spool(join(await temporaryFolder(), 'spool'));
  await expect(spool.requireRoom(Number.MAX_SAFE_INTEGER)).rejects.toMatchObject({
    failure: { kind: 'disk-full' },
  });
});
