/**
 * The file beside a document that a person edited. Only the owner of the job writes and removes it, and never replaces content that nobody
 * has read.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hashBytes } from '../../../src/files/disk.ts';
import { ALONE } from '../../../src/files/right.ts';
import type { JobId, Step } from '../../../src/job.ts';
import type { LaneRun } from '../../../src/lane.ts';
import type { DocumentCase } from '../../../src/lanes/document/document-case.ts';
import { publishBeside, removeBeside } from '../../../src/lanes/document/publish.ts';
import { StaleClaim } from '../../../src/ledger.ts';
import { Trash } from '../../../src/state/trash.ts';
import { jobRecord } from '../../contracts/ledger.ts';
import { manualClock } from '../../manual-clock.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const OFFERED = 'a.machine.docx';

/** @param onStep what happens when the job is asked for; the right to change files is out of date before the first time */
async function rig(onStep: (step: Step) => Promise<void>) {
  const root = await temporaryFolder();
  await mkdir(join(root, 'de'));
  const state = await temporaryFolder();
  const file = join(state, 'result');
  await writeFile(file, 'result');
  const steps: Step[] = [];
  const run: LaneRun = {
    job: jobRecord('a', { lane: 'document' }),
    resumeFrom: { kind: 'started' },
    signal: new AbortController().signal,
    step: async (step) => {
      steps.push(step);
      await onStep(step);
    },
    mayPublish: () => steps.length > 1,
    record: async () => {},
    replan: () => {},
  };
  const doc = { project: { name: 'app', root }, targetPath: 'de/a.docx' } as DocumentCase;
  const kept = { file, hash: hashBytes('result'), size: 6 };
  const trash = new Trash(join(state, 'trash'), manualClock(), ALONE);
  const beside = join(root, 'de', OFFERED);
  const put = () => publishBeside({ run, doc, kept, trash, found: undefined });
  const remove = () => removeBeside(run, doc, kept.hash);
  return { folder: join(root, 'de'), beside, steps, put, remove };
}

const stale = async () => {
  throw new StaleClaim({ id: 'a' as JobId, fence: 1 });
};

test('a version is offered beside the target when the job is still there for it', async () => {
  const { beside, steps, put } = await rig(async () => {});
  expect(await put()).toBe(`de/${OFFERED}`);
  expect(await readFile(beside, 'utf8')).toBe('result');
  expect(steps).toMatchObject([
    { kind: 'publishing', path: `de/${OFFERED}`, hash: hashBytes('result'), expectedOld: null },
    // The right was asked for again: it was out of date right before the file was put there.
    { kind: 'publishing', path: `de/${OFFERED}` },
  ]);
});

test('a worker that lost the job stages nothing, and removes nothing that another worker staged', async () => {
  const { folder, beside, put, remove } = await rig(stale);
  await expect(put()).rejects.toThrow(StaleClaim);
  expect(await readdir(folder)).toEqual([]);
  await writeFile(beside, 'result');
  await expect(remove()).rejects.toThrow(StaleClaim);
  expect(await readdir(folder)).toEqual([OFFERED]);
});

test('a file that somebody writes beside the target at that moment stays', async () => {
  const { beside, put } = await rig(async () => await writeFile(beside, 'by hand'));
  await expect(put()).rejects.toMatchObject({ failure: { kind: 'changed-meanwhile' } });
  expect(await readFile(beside, 'utf8')).toBe('by hand');
  const other = await rig(async () => await writeFile(other.beside, 'by hand'));
  await writeFile(other.beside, 'result');
  await other.remove();
  expect(await readFile(other.beside, 'utf8')).toBe('by hand');
});
