/**
 * The steps of a voice job on the service, on a clock that the test moves. Ledger and spool are real, and the sandbox answers over a
 * socket.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Clock, onwardClock } from '../../../src/clock.ts';
import { hashBytes } from '../../../src/files/disk.ts';
import type { JobId } from '../../../src/job.ts';
import type { RemoteJob } from '../../../src/lanes/voice/decisions/remote-job.ts';
import { RemoteJobs } from '../../../src/lanes/voice/remote-jobs.ts';
import { VoiceSpool } from '../../../src/lanes/voice/spool.ts';
import { VoiceJobRunner } from '../../../src/lanes/voice/voice-job-runner.ts';
import type { LanguageTag } from '../../../src/language.ts';
import type { ContentKey } from '../../../src/plan/voice-recipe.ts';
import type { SimulatedFault } from '../../../src/sandbox/faults.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { connect } from '../../../src/service/client.ts';
import { openLedger } from '../../../src/state/json-ledger.ts';
import { manualClock } from '../../manual-clock.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { DOWNLOAD, silence, UPLOAD } from './voice-rig.ts';

const CONTENT = 'sound' as ContentKey;

async function open(faults: SimulatedFault[], clockThere?: Clock) {
  const folder = await temporaryFolder();
  const clock = manualClock();
  // Its time passes with ours: how slow the machine is does not matter.
  const sandbox = await startSandbox({ clock: clockThere ?? onwardClock(clock), faults });
  const ledger = await openLedger({ folder: join(folder, 'state'), clock });
  const service = connect({ url: sandbox.url, key: sandbox.key });
  onTestFinished(async () => {
    await service[Symbol.asyncDispose]();
    await ledger[Symbol.asyncDispose]();
    await sandbox[Symbol.asyncDispose]();
  });
  const spool = new VoiceSpool(join(folder, 'voice'));
  const jobs = new RemoteJobs(ledger, clock);
  const runner = new VoiceJobRunner({
    ...{ service, jobs, spool, clock },

    givesUp: () => false,
    booked: () => {},
  });
  const recording = silence(8);
  await writeFile(join(folder, 'a.wav'), recording);
  await spool.takeSource(CONTENT, join(folder, 'a.wav'), hashBytes(recording));
  const job = await jobs.put(jobFor(recording, clock.now()));
  const drive = async (onWait?: (ms: number) => unknown): Promise<RemoteJob | undefined> => {
    for (;;) {
      const drive = await runner.drive(job.id, 'send', new AbortController().signal);
      if (drive.kind === 'rests') return jobs.get(job.id);
      const ms = drive.until - clock.now();
      await onWait?.(ms);
      await clock.pass(ms);
    }
  };
  const answered = (operation: string, status: number) =>
    sandbox.log().filter((call) => call.operation === operation && call.status === status).length;
  return { drive, clock, answered };
}

function jobFor(recording: Uint8Array, begun: number): RemoteJob {
  return {
    id: 'r',
    content: CONTENT,
    sourceHash: hashBytes(recording),
    owner: 'academy/de/in/a.wav' as JobId,
    project: 'academy',
    language: 'de' as LanguageTag,
    seconds: 8,
    spoken: 'en',
    recording: {
      form: 'copy',
      name: 'a.wav',
      contentType: 'audio/wav',
      size: recording.byteLength,
    },
    begun,
    outputs: [{ language: 'de', type: 'application/x-subrip', state: { kind: 'awaited' } }],
    stage: { kind: 'creating' },
  };
}

test('a recording is uploaded once and its result is fetched once', async () => {
  const rig = await open([]);
  const job = await rig.drive();
  expect(job).toMatchObject({
    stage: { kind: 'ended' },
    outputs: [{ state: { kind: 'fetched' } }],
  });
  expect([rig.answered(UPLOAD, 204), rig.answered(DOWNLOAD, 200)]).toEqual([1, 1]);
});

test('a paid result is fetched in its time when the clock is set back by two hours', async () => {
  const rig = await open([]);
  let waits = 0;
  const job = await rig.drive(() => {
    if (waits++ === 0) rig.clock.setBack(2 * 3_600_000);
  });
  expect(job?.outputs[0]?.state).toMatchObject({ kind: 'fetched' });
  expect(waits).toBeLessThan(100);
});

test('a paid result is fetched where the clock is set forward by two hours, and back a moment later', async () => {
  const there = manualClock();
  const rig = await open([], there);
  let waits = 0;
  const job = await rig.drive(async (ms) => {
    await there.pass(waits < 2 ? 0 : ms);
    if (waits === 0) await rig.clock.pass(2 * 3_600_000);
    if (waits === 1) rig.clock.setBack(2 * 3_600_000);
    waits += 1;
  });
  expect(job?.outputs[0]?.state).toMatchObject({ kind: 'fetched' });
  expect(waits).toBeGreaterThan(2);
});

test('a result that the service never hands out is lost when the hour is over, and not before', async () => {
  const rig = await open([{ kind: 'status', status: 503, operation: DOWNLOAD, times: 'always' }]);
  const began = rig.clock.now();
  const job = await rig.drive();
  expect(job?.outputs[0]?.state).toMatchObject({ kind: 'lost' });
  expect(rig.clock.now() - began).toBeGreaterThan(50 * 60_000);
  expect(rig.answered(UPLOAD, 204)).toBe(1);
});
