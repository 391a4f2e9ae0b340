/** How a recording goes on after a crash, row by row, as decisions without effects. */
import { expect, test } from 'vitest';
import type { Hash, JobId } from '../../../src/job.ts';
import {
  downloadFailed,
  forgotten,
  learn,
  learnNothing,
} from '../../../src/lanes/voice/decisions/learn.ts';
import { nextMove, type VoiceMoment } from '../../../src/lanes/voice/decisions/next-move.ts';
import type {
  OutputState,
  RemoteJob,
  RemoteStage,
} from '../../../src/lanes/voice/decisions/remote-job.ts';
import {
  givenUp,
  outOfTime,
  uploadFailed,
} from '../../../src/lanes/voice/decisions/upload-failure.ts';
import { paidState } from '../../../src/lanes/voice/order.ts';
import { voiceChargesFor } from '../../../src/lanes/voice/voice-job-runner.ts';
import type { LanguageTag } from '../../../src/language.ts';
import type { ContentKey } from '../../../src/plan/voice-recipe.ts';

const NOW = Date.parse('2026-10-19T10:00:00Z');
const MINUTE = 60_000;
const ticket = { job_id: 'j', upload_url: 'http://assets/j', signature: 'up' };
const result = { download_url: 'http://assets/j/0', signature: 'down' };
const shown = { status: 'complete', ...result };

function job(stage: RemoteStage, ...states: OutputState[]): RemoteJob {
  return {
    id: 'r',
    content: 'c' as ContentKey,
    sourceHash: 'h' as Hash,
    owner: 'academy/de/in/a.wav' as JobId,
    project: 'academy',
    language: 'de' as LanguageTag,
    seconds: 60,
    recording: { form: 'copy', name: 'a.wav', contentType: 'audio/wav', size: 1000 },
    begun: NOW - MINUTE,
    outputs: (states.length > 0 ? states : [{ kind: 'awaited' } as const]).map((state, nth) => ({
      language: nth === 0 ? 'de' : 'es',
      type: 'text/plain',
      state,
    })),
    stage,
  };
}

const moment = (changes: Partial<VoiceMoment> = {}): VoiceMoment => ({
  now: NOW,
  asked: undefined,
  setbacks: 0,
  uploadMs: 1000,
  tried: new Set(),
  ...changes,
});
const uploaded = (at = NOW - MINUTE): RemoteStage => ({ kind: 'uploaded', job_id: 'j', at });
const closing = (created = NOW - MINUTE, refused = 0): RemoteStage => ({
  kind: 'closing',
  ticket,
  created,
  at: NOW - 50_000,
  refused,
});

test('creating: it is created again', () => {
  expect(nextMove(job({ kind: 'creating' }), moment())).toEqual({ kind: 'create' });
});

test('created: it is uploaded while the window leaves twice the time that it takes', () => {
  const at = NOW - 2 * MINUTE;
  const created = job({ kind: 'created', ticket, at, refused: 0 });
  expect(nextMove(created, moment())).toMatchObject({ kind: 'upload' });
  expect(nextMove(created, moment({ uploadMs: 100_000 }))).toEqual({ kind: 'void' });
  expect(nextMove(created, moment({ now: NOW + 4 * MINUTE }))).toEqual({ kind: 'void' });
});

test('created just now: a long upload is tried, since another job would not have more time', () => {
  const created = job({ kind: 'created', ticket, at: NOW - 1000, refused: 0 });
  expect(nextMove(created, moment({ uploadMs: 230_000 }))).toMatchObject({ kind: 'upload' });
});

test('closing: the service is asked before anything is sent again', () => {
  expect(nextMove(job(closing()), moment())).toEqual({ kind: 'ask', job_id: 'j' });
});

test('closing: storage, or a state past processing, says that it arrived', () => {
  const processing = { results: [{ status: 'processing' }] };
  const arrived = learn(job(closing()), { ...processing, usage: { storage_used: 1000 } }, NOW);
  expect(arrived.stage).toMatchObject({ kind: 'uploaded', at: NOW - 50_000 });
  expect(learn(job(closing()), { results: [{ status: 'uploaded' }] }, NOW).stage.kind).toBe(
    'uploaded',
  );
  expect(learn(job(closing()), processing, NOW).stage.kind).toBe('closing');
});

test('closing: what did not arrive is uploaded again by the same job, or by another one when the window is over', () => {
  const missing = { results: [{ status: 'processing' }], usage: { storage_used: 0 } };
  expect(learn(job(closing()), missing, NOW).stage).toMatchObject({ kind: 'created', refused: 1 });
  expect(learn(job(closing(NOW - 6 * MINUTE)), missing, NOW).stage.kind).toBe('void');
  expect(learn(job(closing(NOW - MINUTE, 2)), missing, NOW).stage.kind).toBe('void');
});

test('created again: a complete earlier upload may have arrived, so the service is asked before another job is made', () => {
  const again: RemoteStage = {
    kind: 'created',
    ticket,
    at: NOW - MINUTE,
    refused: 1,
    sent: NOW - 50_000,
  };
  const ends = [
    uploadFailed(job(again), 'refused', '409'),
    outOfTime(job(again)),
    givenUp(job(again)),
  ];
  for (const after of ends) {
    expect(after.stage).toMatchObject({ kind: 'closing', at: NOW - 50_000, refused: 1 });
    const arrived = learn(after, { results: [shown] }, NOW);
    expect(arrived.stage).toMatchObject({ kind: 'uploaded', at: NOW - 50_000 });
  }
});

test('created: an upload that is refused makes another job, a broken one is tried again twice', () => {
  const first = job({ kind: 'created', ticket, at: NOW - MINUTE, refused: 0 });
  expect(uploadFailed(first, 'refused', 'late').stage).toEqual({
    kind: 'void',
    because: 'late',
    reason: 'late',
    isRefused: true,
  });
  const stages = [1, 2, 3].reduce<RemoteJob[]>(
    (jobs) => [...jobs, uploadFailed(jobs.at(-1) ?? first, 'broken', 'reset')],
    [],
  );
  expect(stages.map(({ stage }) => stage.kind)).toEqual(['created', 'created', 'void']);
});

test('an answer that makes no sense is ignored within the hour; then missing results are lost, for that reason', () => {
  const nothing = { reason: 'not one result for each target', now: NOW };
  const early = job(uploaded());
  expect(learnNothing(early, nothing)).toBe(early);
  const late = learnNothing(job(uploaded(NOW - 59 * MINUTE)), nothing);
  expect(late.outputs[0]?.state).toMatchObject({ kind: 'lost', reason: nothing.reason });
  expect(late.stage.kind).toBe('ended');
});

test('closing: when the service never says whether the upload arrived, a person decides', () => {
  const silent = { results: [{ status: 'processing' }] };
  const after = learn(job(closing()), silent, NOW + 61 * MINUTE);
  expect(after.stage.kind).toBe('in-doubt');
  expect(voiceChargesFor(job(closing()), after, NOW)).toMatchObject([{ kind: 'possibly-twice' }]);
  expect(forgotten(job(closing()), NOW).stage.kind).toBe('in-doubt');
});

test('uploaded: a failing service is asked less and less often, at last every minute', () => {
  const untilAfter = (setbacks: number) =>
    nextMove(job(uploaded()), moment({ asked: NOW, setbacks }));
  expect([0, 1, 2, 3, 4, 50].map(untilAfter)).toEqual(
    [5, 10, 20, 40, 60, 60].map((seconds) => ({ kind: 'wait', until: NOW + seconds * 1000 })),
  );
});

test('uploaded: it is asked every 5 seconds, after ten minutes every 15', () => {
  const asked = NOW - 4000;
  expect(nextMove(job(uploaded()), moment({ asked }))).toEqual({ kind: 'wait', until: NOW + 1000 });
  expect(nextMove(job(uploaded(NOW - 11 * MINUTE)), moment({ asked }))).toEqual({
    kind: 'wait',
    until: NOW + 11_000,
  });
  expect(nextMove(job(uploaded()), moment())).toEqual({ kind: 'ask', job_id: 'j' });
});

test('uploaded: a clock that was set back delays no question', () => {
  const asked = NOW + 60 * MINUTE;
  expect(nextMove(job(uploaded(asked)), moment({ asked }))).toEqual({
    kind: 'wait',
    until: NOW + 5000,
  });
});

test('uploaded: what is complete is fetched at once, the rest is waited for whatever its state is called', () => {
  const after = learn(
    job(uploaded(), { kind: 'awaited' }, { kind: 'awaited' }),
    {
      results: [{ status: 'pondering' }, shown],
    },
    NOW,
  );
  expect(after.outputs.map(({ state }) => state.kind)).toEqual(['awaited', 'downloading']);
  expect(nextMove(after, moment())).toMatchObject({ kind: 'fetch', index: 1 });
});

test('uploaded: past the hour only what is complete is tried', () => {
  const late = NOW + 60 * MINUTE;
  const after = learn(
    job(uploaded(), { kind: 'awaited' }, { kind: 'awaited' }),
    {
      results: [{ status: 'processing' }, shown],
    },
    late,
  );
  expect(after.outputs.map(({ state }) => state.kind)).toEqual(['lost', 'downloading']);
});

test('downloading: the same signature once more, then lost', () => {
  const once = job(uploaded(), { kind: 'downloading', ticket: result, tries: 1 });
  const given = { results: [{ status: 'downloaded' }] };
  expect(learn(once, given, NOW).outputs[0]?.state.kind).toBe('downloading');
  expect(downloadFailed(once, { index: 0, reason: 'cut', now: NOW })).toBe(once);
  const twice = job(uploaded(), { kind: 'downloading', ticket: result, tries: 2 });
  expect(downloadFailed(twice, { index: 0, reason: 'cut', now: NOW })).toMatchObject({
    stage: { kind: 'ended' },
    outputs: [{ state: { kind: 'lost', reason: 'cut' } }],
  });
  expect(learn(twice, given, NOW).outputs[0]?.state.kind).toBe('lost');
});

test('a failed target keeps its message, and the others go on', () => {
  const after = learn(
    job(uploaded(), { kind: 'awaited' }, { kind: 'awaited' }),
    {
      results: [{ status: 'failed', error: { message: 'too noisy' } }, { status: 'processing' }],
    },
    NOW,
  );
  expect(after.outputs[0]?.state).toMatchObject({ kind: 'failed', message: 'too noisy' });
  expect(after.stage.kind).toBe('uploaded');
});

test('a job that is gone is no loss when all is fetched; results that were not fetched are lost', () => {
  const fetched: OutputState = { kind: 'fetched', hash: 'x' as Hash, bytes: 1, at: NOW };
  const after = forgotten(job(uploaded(), fetched, { kind: 'awaited' }), NOW);
  expect(after.outputs.map(({ state }) => state.kind)).toEqual(['fetched', 'lost']);
  expect(after.stage.kind).toBe('ended');
});

test('seconds are booked when the recording is known to have arrived, and storage at the end', () => {
  const before = job(closing());
  const arrived = learn(before, { results: [shown], usage: { storage_used: 1500 } }, NOW);
  expect(voiceChargesFor(before, arrived, NOW)).toMatchObject([{ kind: 'counted', seconds: 60 }]);
  const ended = { ...arrived, stage: { kind: 'ended' as const } };
  expect(voiceChargesFor(arrived, ended, NOW)).toMatchObject([{ storageBytes: 1500 }]);
});

test('lost results are bought again when a person approves, or once if the config says so', () => {
  const lost: OutputState = { kind: 'lost', reason: 'cut', at: NOW };
  const remote = job({ kind: 'ended' }, lost);
  const [output] = remote.outputs;
  if (output === undefined) throw new Error('no output');
  const paid = { job: remote, output, isKept: false, losses: 1 };
  const at = new Date(NOW).toISOString();
  const release = { kind: 'retry', fingerprint: 'f', at } as unknown as NonNullable<
    Parameters<typeof paidState>[1]['release']
  >;
  expect(paidState(paid, { release: undefined, recreateOnLoss: false }).kind).toBe('lost');
  expect(paidState(paid, { release: undefined, recreateOnLoss: true }).kind).toBe('missing');
  expect(paidState({ ...paid, losses: 2 }, { release: undefined, recreateOnLoss: true }).kind).toBe(
    'lost',
  );
  expect(paidState(paid, { release, recreateOnLoss: false }).kind).toBe('missing');
  const old = { ...release, at: new Date(NOW - 2 * MINUTE).toISOString() };
  expect(paidState(paid, { release: old, recreateOnLoss: false }).kind).toBe('lost');
});

test('an upload that the service put off is no late one: the next run asks, and begins another job', () => {
  const first = job({ kind: 'created', ticket, at: NOW - 6 * MINUTE, refused: 0 });
  const begun = uploadFailed(first, 'put-off', '429');
  expect(begun.stage).toMatchObject({ kind: 'created', refused: 0 });
  expect(outOfTime(begun).stage).toEqual({ kind: 'void', because: 'given-up' });
  const sent = uploadFailed(job(closing(NOW - 6 * MINUTE)), 'put-off', '429');
  const missing = { results: [{ status: 'processing' }], usage: { storage_used: 0 } };
  expect(learn(sent, missing, NOW).stage).toEqual({ kind: 'void', because: 'given-up' });
  expect(learn(sent, { results: [shown] }, NOW).stage.kind).toBe('uploaded');
  const again = learn(uploadFailed(job(closing()), 'put-off', '429'), missing, NOW);
  expect(learn(outOfTime(again), missing, NOW + 6 * MINUTE).stage).toEqual({
    kind: 'void',
    because: 'given-up',
  });
});
