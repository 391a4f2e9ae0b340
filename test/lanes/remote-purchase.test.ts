/** A result that comes from the service, into a real folder. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { failureOf } from '../../src/failure.ts';
import { ResultFiles, SpoolFolder } from '../../src/files/spool-folder.ts';
import { receive } from '../../src/lanes/remote-purchase.ts';
import type { DownloadSink } from '../../src/service/download.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const MOST = 10_000;

async function received(download: (sink: DownloadSink) => Promise<never>) {
  const folder = new SpoolFolder(join(await temporaryFolder(), 'spool'));
  const files = new ResultFiles(folder, { part: 'a.part', result: 'a' });
  const lengths: number[] = [];
  const result = await receive(files, {
    operation: 'GET {download_url}',
    mostBytes: MOST,
    download,
    recordLength: async (bytes) => void lengths.push(bytes),
  });
  const failure = result.kind === 'failed' ? failureOf(result.error) : undefined;
  return { failure, lengths, size: (await stat(files.part)).size };
}

test('a result without an end fails by name before it is longer than any result can be', async () => {
  const { failure, size } = await received(async (sink) => {
    await sink.headers({});
    for (;;) await sink.write(Buffer.alloc(1000));
  });
  expect(failure).toMatchObject({
    kind: 'bad-answer',
    message: 'it has more than 10,000 bytes, which no result of this source has',
  });
  expect(size).toBe(MOST);
});

test('a result that is announced as longer than any result can be is not received', async () => {
  const { failure, lengths, size } = await received(async (sink) => {
    await sink.headers({ content_length: MOST + 1 });
    throw new Error('it was received');
  });
  expect(failure).toMatchObject({ kind: 'bad-answer' });
  expect([lengths, size]).toEqual([[], 0]);
});
