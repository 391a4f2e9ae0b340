/** The end of a voice job: writes the results that came, reports those that did not, and marks the job as done or held. */
import { join } from 'node:path';
import { isoTime } from '../../clock.ts';
import { ofJob } from '../../event.ts';
import { describeFailure, JobFailure } from '../../failure.ts';
import { statOf } from '../../files/disk.ts';
import { type Hold, shellWords } from '../../job.ts';
import type { LaneResult, LaneRun } from '../../lane.ts';
import type { Written } from '../../ledger.ts';
import { withOutput } from './decisions/remote-job.ts';
import { type DeliveredOutput, deliver, deliverCachedOutput, deliverWhole } from './deliver.ts';
import { holdFor, type OrderedVoice } from './estimate.ts';
import type { VoiceOrder } from './order.ts';
import type { VoiceCase } from './voice-case.ts';
import type { VoiceJobs } from './voice-jobs.ts';

export async function concludeVoice(
  voiceJobs: VoiceJobs,
  run: LaneRun,
  { voice, order }: { readonly voice: VoiceCase; readonly order: VoiceOrder },
): Promise<LaneResult> {
  const wrote: Written[] = [];
  const changed: string[] = [];
  const holds: Hold[] = [];
  for (const ordered of order) {
    const outcome = await settle(voiceJobs, run, { voice, ordered });
    if (outcome.written !== undefined) wrote.push(outcome.written);
    if (outcome.hold !== undefined) holds.push(outcome.hold);
    const { found, path } = ordered.file;
    const isNew = outcome.written?.path !== path || outcome.written.hash !== found;
    if (outcome.written !== undefined && isNew) changed.push(outcome.written.path);
  }
  const at = isoTime(voiceJobs.options.clock);
  const [hold] = holds;
  if (hold !== undefined && wrote.length === 0) {
    return { kind: 'held', state: { kind: 'held', at, hold } };
  }
  const state =
    hold === undefined ? { kind: 'done' as const, at } : { kind: 'held' as const, at, hold };
  return { kind: 'delivered', wrote, changed, state };
}

/** The result for one file of the job. */
interface FileOutcome {
  readonly written?: Written | undefined;
  readonly hold?: Hold;
}

async function settle(
  voiceJobs: VoiceJobs,
  run: LaneRun,
  item: OrderedVoice,
): Promise<FileOutcome> {
  const { verdict } = item.ordered.file;
  switch (verdict.kind) {
    case 'leave':
      return { written: await asCurrent(item, verdict.by) };
    case 'hold':
      return { written: await untouched(item), hold: await holdFor(voiceJobs, item, verdict.why) };
    case 'obtain':
      return await obtain(voiceJobs, run, item);
  }
}

async function obtain(
  voiceJobs: VoiceJobs,
  run: LaneRun,
  { voice, ordered }: OrderedVoice,
): Promise<FileOutcome> {
  const { file, paid, result } = ordered;
  const price = { characters: 0, seconds: result?.job.seconds ?? 0 };
  switch (paid.kind) {
    case 'ready':
      return await deliverFetched(voiceJobs, run, { voice, ordered });
    case 'elsewhere': {
      const context = { spool: voiceJobs.spool, trash: voiceJobs.options.trash };
      const delivered = await deliverCachedOutput(context, { run, voice, file }, paid.path);
      return outputOutcome(delivered, { voice, ordered });
    }
    case 'merged': {
      const context = { spool: voiceJobs.spool, trash: voiceJobs.options.trash };
      const { bytes, by } = paid.other;
      const { written } = await deliverWhole(context, { run, voice, file }, bytes);
      const own = by === undefined ? written : { ...written, by };
      return outputOutcome({ written: own }, { voice, ordered });
    }
    case 'failed':
      return {
        written: await untouched({ voice, ordered }),
        hold: {
          kind: 'unsuitable',
          message: `no ${file.kind}: ${paid.message}`,
          advice: `dragoman retry ${shellWords(file.path)}`,
          seconds: price.seconds,
        },
      };
    case 'lost': {
      const hold: Hold = { kind: 'lost-result', ...price, reason: paid.reason };
      return { written: await untouched({ voice, ordered }), hold };
    }
    case 'in-doubt': {
      const hold: Hold = { kind: 'in-doubt', ...price };
      return { written: await untouched({ voice, ordered }), hold };
    }
    case 'missing':
    case 'awaited':
      throw new JobFailure({ kind: 'internal', message: `${file.path} was concluded too early` });
  }
}

/** Delivers a result of the spool. A result that makes no sense is recorded as failed. */
async function deliverFetched(
  voiceJobs: VoiceJobs,
  run: LaneRun,
  { voice, ordered }: OrderedVoice,
): Promise<FileOutcome> {
  const { file, result } = ordered;
  const state = result?.output.state;
  if (result === undefined || state?.kind !== 'fetched') return {};
  const { jobs, spool, options } = voiceJobs;
  try {
    const context = { spool, trash: options.trash };
    const delivered = await deliver(context, { run, voice, file, result, bytes: state.bytes });
    if (delivered.doubt !== undefined) {
      options.events.emit({
        kind: 'result-doubted',
        finding: delivered.doubt,
        ...ofJob(run.job),
      });
    }
    return outputOutcome(delivered, { voice, ordered });
  } catch (error) {
    if (!(error instanceof JobFailure) || error.failure.kind !== 'malformed') throw error;
    const message = describeFailure(error.failure);
    const at = options.clock.now();
    const job = jobs.get(result.job.id) ?? result.job;
    await jobs.put(withOutput(job, result.index, { kind: 'failed', message, at }));
    return await obtain(voiceJobs, run, {
      voice,
      ordered: { ...ordered, paid: { kind: 'failed', message } },
    });
  }
}

function outputOutcome(
  { written, problem }: DeliveredOutput,
  { voice, ordered }: OrderedVoice,
): FileOutcome {
  const made = { ...written, from: voice.sourceHash };
  if (problem === undefined) return { written: made };
  const message = `${ordered.file.path}: ${problem}; the speech is in ${written.path} meanwhile`;
  const advice = `install ffmpeg, then dragoman retry ${shellWords(ordered.file.path)} (nothing is bought)`;
  return { written: made, hold: { kind: 'unsuitable', message, advice } };
}

/** The record of a present file that counts as made from this source. */
async function asCurrent(
  { voice, ordered: { file } }: OrderedVoice,
  by: Written['by'],
): Promise<Written | undefined> {
  const stat = await statOf(join(voice.project.root, file.path));
  if (stat === undefined || file.found === undefined) return undefined;
  const written = { path: file.path, hash: file.found, stat, from: voice.sourceHash };
  return by === undefined ? written : { ...written, by };
}

/** The record of a present file that stays as it is: made from an older source, perhaps edited by a person. */
async function untouched({ voice, ordered: { file } }: OrderedVoice): Promise<Written | undefined> {
  const stat = await statOf(join(voice.project.root, file.path));
  const left = voice.record?.wrote.find(({ path }) => path === file.path);
  if (stat === undefined || left === undefined || file.found === undefined) return undefined;
  const { by: _, ...before } = left;
  const by = left.hash === file.found ? left.by : 'person';
  return { ...before, hash: file.found, stat, ...(by === undefined ? {} : { by }) };
}
