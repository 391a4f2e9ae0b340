/** The pieces of the document lane: minified Office files, checks of results, the spool. */

import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { JobFailure } from '../../../src/failure.ts';
import { hashBytes } from '../../../src/files/disk.ts';
import { openZip } from '../../../src/files/zip.ts';
import { wrongResult } from '../../../src/lanes/document/check-result.ts';
import { estimateDocument } from '../../../src/lanes/document/estimate.ts';
import { missingMedia, withMedia, withoutMedia } from '../../../src/lanes/document/minify.ts';
import { Spool } from '../../../src/lanes/document/spool.ts';
import type { PurchaseKey } from '../../../src/state/document-purchase.ts';
import { CORPUS } from '../../corpus.ts';
import { manualClock } from '../../manual-clock.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { wordFile } from './word-file.ts';

const OFFICE = join(CORPUS, 'office');
const KEY = 'abc' as PurchaseKey;
const IMAGES = new Map([
  ['word/media/image1.png', randomBytes(100_000)],
  ['word/media/film.mp4', randomBytes(50_000)],
]);

test('media that were taken out are put back, so that the whole file is the same again', () => {
  const source = wordFile('Hello', IMAGES);
  const light = withoutMedia(source, 'a.docx');
  expect(light.byteLength).toBeLessThan(5000);
  expect(openZip(light, 'a.docx').entries).toHaveLength(openZip(source, 'a.docx').entries.length);
  expect(Buffer.from(withMedia(light, source, 'a.docx'))).toEqual(Buffer.from(source));
});

test('a result without a place for one of the media keeps the others, and says so', () => {
  const source = wordFile('Hello', IMAGES);
  const result = wordFile('Hallo', new Map([['word/media/film.mp4', Buffer.from('pixel')]]));
  expect(missingMedia(result, source, 'a.docx')).toBe(
    'the translated document has no place for word/media/image1.png',
  );
  const film = IMAGES.get('word/media/film.mp4') ?? Buffer.alloc(0);
  const expected = wordFile('Hallo', new Map([['word/media/film.mp4', film]]));
  expect(Buffer.from(withMedia(result, source, 'a.docx'))).toEqual(Buffer.from(expected));
});

test('a video that is too large to be unpacked is put back all the same', () => {
  const film = Buffer.alloc(129 * 1024 * 1024);
  const source = wordFile('Hello', new Map([['word/media/film.mp4', film]]));
  const whole = withMedia(withoutMedia(source, 'a.docx'), source, 'a.docx');
  expect(Buffer.compare(whole, source)).toBe(0);
});

test.skipIf(!existsSync(OFFICE))('the media of every real file come back as they were', () => {
  const names = readdirSync(OFFICE).filter((name) => /\.(?:docx|pptx)$/.test(name));
  for (const name of names) {
    const source = readFileSync(join(OFFICE, name));
    const whole = openZip(withMedia(withoutMedia(source, name), source, name), name);
    const before = openZip(source, name);
    expect(whole.entries.map((entry) => [entry.name, entry.crc, entry.size])).toEqual(
      before.entries.map((entry) => [entry.name, entry.crc, entry.size]),
    );
  }
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
  expect(await wrong(whole.subarray(0, 400), 'docx')).toMatch(/incomplete/);
  expect(await wrong(Buffer.alloc(0), 'txt')).toMatch(/empty/);
  expect(await wrong(Buffer.from('<html>error</html>'), 'docx')).toMatch(/incomplete/);
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
  const files = spool.resultFiles(KEY);
  await using part = await files.begin();
  await part.write(Buffer.from('Hallo'));
  expect(await files.find()).toBeUndefined();
  await part.finish();
  expect(await files.accept()).toMatchObject({ hash: hashBytes('Hallo'), size: 5 });
  const clock = manualClock();
  const old = new Date(clock.now() - 60_000);
  await utimes(files.result, old, old);
  await spool.sweep({ keepMs: 61_000, clock }, () => false);
  await spool.sweep({ keepMs: 1000, clock }, () => true);
  expect(await files.find()).toBeDefined();
  await spool.sweep({ keepMs: 1000, clock }, () => false);
  expect(await files.find()).toBeUndefined();
});

test('missing disk space is reported before the one download of a result', async () => {
  const spool = new Spool(join(await temporaryFolder(), 'spool'));
  await expect(spool.requireSpace(Number.MAX_SAFE_INTEGER)).rejects.toMatchObject({
    failure: { kind: 'disk-full' },
  });
});

test('a file without words is copied, and one that is of another kind inside is refused', async () => {
  const folder = await temporaryFolder();
  const estimate = async (name: string, bytes: Uint8Array | string) => {
    await writeFile(join(folder, name), bytes);
    const extension = name.slice(name.lastIndexOf('.') + 1);
    return await estimateDocument(join(folder, name), { extension, name });
  };
  expect(await estimate('a.docx', wordFile(''))).toEqual({
    kind: 'copied',
    characters: 0,
    atLeast: false,
  });
  expect(await estimate('b.txt', '2026-11-20 -- 17:00\n')).toMatchObject({ kind: 'copied' });
  expect(await estimate('c.docx', wordFile('A'))).toMatchObject({ kind: 'bought' });
  const chart = new Map([['word/charts/chart1.xml', Buffer.from('<c:v>Sales</c:v>')]]);
  expect(await estimate('d.docx', wordFile('', chart))).toMatchObject({ kind: 'bought' });
  await expect(estimate('e.xlsx', wordFile('Hello'))).rejects.toThrow(
    /it is no xlsx inside, but docx/,
  );
});
