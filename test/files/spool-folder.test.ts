import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { ResultFiles, SpoolFolder } from '../../src/files/spool-folder.ts';
import { temporaryFolder } from '../temporary-folder.ts';

test('a download that another process starts again is separate: later writes of the first process are in no result', async () => {
  const folder = await temporaryFolder();
  const filesOfProcess = () =>
    new ResultFiles(new SpoolFolder(folder), { part: 'a.part', result: 'a.result' });
  const [late, next] = [filesOfProcess(), filesOfProcess()];
  await using lateFile = await late.begin();
  await lateFile.write(Buffer.from('late: be'));
  await using nextFile = await next.begin();
  await nextFile.write(Buffer.from('next'));
  await lateFile.write(Buffer.from('ginning and end'));

  await expect(lateFile.finish()).rejects.toMatchObject({ failure: { kind: 'stopped' } });
  await nextFile.finish();
  const { file, size } = await next.accept();

  expect(await readFile(file, 'utf8')).toBe('next');
  expect(size).toBe(4);
});
