/** The subtitle lane: sentence by sentence with the film around them, timing untouched, read back before it is delivered. */

import { join } from 'node:path';
import type { SegmentRecord } from '../../baseline.ts';
import { type Clock, isoTime } from '../../clock.ts';
import { describeFailure, failureOf } from '../../failure.ts';
import { hashBytes, holdsStill } from '../../files/disk.ts';
import { publish } from '../../files/publish.ts';
import { writeIfDifferent } from '../../files/replace.ts';
import { partsText } from '../../format.ts';
import { reportOf, reportPath } from '../../formats/captions/report.ts';
import type { Hold, Job, JobState } from '../../job.ts';
import { sourceHashOf } from '../../job.ts';
import type { LaneResult, LaneRun, LaneWorker } from '../../lane.ts';
import type { JobRecord, Written } from '../../ledger.ts';
import type { Allowance } from '../../plan/spending.ts';
import { finalState } from '../../segments/final-state.ts';
import {
  type BoughtText,
  boughtAgain,
  staleTerms,
  termsMissing,
} from '../../translate/rule-notes.ts';
import type { TextCase } from '../../translate/text-case.ts';
import type { Participant, Translator } from '../../translate/translate.ts';
import { composeSubtitles } from './composition.ts';
import { cueInputs, inspectSubtitles, type SubtitleInspection } from './inspection.ts';
import { type AnsweredSpeech, settleSubtitles } from './settlement.ts';
import { cueByCue, priceOfSpeech, type SpeechPurchase, speechPurchases } from './text-orders.ts';
import { asksNothing, isAsItShallBe, screenOf } from './up-to-date.ts';

export interface SubtitleLaneOptions {
  readonly translator: Translator;
  readonly clock: Clock;
  /** Everything around a job: its route, recipe, paths, memory and segment base. */
  caseOf(job: Job): Promise<TextCase>;
  /** What keeps a job of that price from being bought now; reserves it otherwise. */
  allow(job: JobRecord, characters: number): Allowance;
  /** Terms of the glossary that the sentences bought just now do not hold. */
  onTermsMissing(job: JobRecord, findings: readonly string[]): void;
}

/** A target that a person edits again and again while we merge is left alone until they are done. */
const MERGES = 5;

export function subtitleLane(options: SubtitleLaneOptions): LaneWorker {
  return {
    lane: 'subtitle',
    async run(run) {
      using participant = options.translator.join();
      const text = await options.caseOf(run.job);
      for (let merges = 1; ; merges++) {
        try {
          return await attempt(options, { run, text, participant });
        } catch (error) {
          const { kind } = failureOf(error);
          if (kind === 'malformed') return held(options.clock, brokenFile(error));
          if (kind !== 'changed-meanwhile' || merges >= MERGES) throw error;
        }
      }
    },
    async estimate(job, counted) {
      const text = await options.caseOf(job);
      const seen = await inspectSubtitles(text);
      const purchases = speechPurchases(text, seen);
      const characters = priceOfSpeech(purchases, text, counted);
      const stands = purchases.length === 0 && (await isAsItShallBe(seen, text));
      return { job, characters, atLeast: false, notes: notesOn(text, seen), stands };
    },
  };
}

function notesOn(text: TextCase, { merge, sentences }: SubtitleInspection): string[] {
  const inputs = (record: SegmentRecord) => cueInputs(text, record, sentences);
  return [...boughtAgain(text, { merge }), ...staleTerms(text, { merge, inputs })];
}

interface Attempt {
  readonly run: LaneRun;
  readonly text: TextCase;
  readonly participant: Participant;
}

async function attempt(options: SubtitleLaneOptions, turn: Attempt): Promise<LaneResult> {
  const { run, text, participant } = turn;
  const seen = await inspectSubtitles(text);
  if (seen.source.hash !== sourceHashOf(run.job.fingerprint)) return { kind: 'superseded' };
  const stay = seen.blocker === undefined ? undefined : await leaveAlone(options.clock, turn, seen);
  if (stay !== undefined) return stay;
  const purchases = speechPurchases(text, seen);
  const allowance = options.allow(run.job, priceOfSpeech(purchases, text, new Set()));
  if (allowance.kind === 'held') return held(options.clock, allowance.hold);
  using _reserved = allowance;
  const answered = await buy(participant, purchases);
  // The answers are in the memory; the newer content takes from there what it still needs.
  if (!(await holdsStill(text.sourcePath, seen.source))) return { kind: 'superseded' };
  const records = settleSubtitles(seen, answered, screenOf(seen, text)).map((record) =>
    withInputs(text, record, seen),
  );
  const missing = termsMissing(text, sentencesIn(answered, seen));
  if (missing.length > 0) options.onTermsMissing(run.job, missing);
  return await deliver(options, turn, { seen, records });
}

/** Sentences as they were bought: a term may stand half in one cue and half in the next. */
function sentencesIn(
  answered: readonly AnsweredSpeech[],
  { film }: SubtitleInspection,
): BoughtText[] {
  return answered.flatMap(({ purchase: { group }, answer }) => {
    const id = film.cues[group.members[0]?.cue ?? 0]?.id ?? '';
    return answer.kind === 'translated'
      ? [{ id, source: group.text, target: partsText(answer.parts) }]
      : [];
  });
}

/** Sentences first; those that came back unfit once more, cue by cue. */
async function buy(
  participant: Participant,
  purchases: readonly SpeechPurchase[],
): Promise<AnsweredSpeech[]> {
  const answers = await participant.translate(purchases.map(({ wanted }) => wanted));
  const first = purchases.map((purchase, nth) => ({
    purchase,
    answer: answers[nth] ?? { kind: 'refused' as const, problem: 'not answered' },
    retried: false,
  }));
  const unfit = first.filter(({ answer }) => answer.kind === 'refused');
  const alone = unfit.flatMap(({ purchase }) => cueByCue(purchase));
  const second = await participant.translate(alone.map(({ wanted }) => wanted));
  return [
    ...first.filter(({ answer }) => answer.kind === 'translated'),
    ...alone.map((purchase, nth) => ({
      purchase,
      answer: second[nth] ?? { kind: 'refused' as const, problem: 'not answered' },
      retried: true,
    })),
  ];
}

/** What a new text was made with, so that a changed rule finds it. */
function withInputs(
  text: TextCase,
  record: SegmentRecord,
  { sentences }: SubtitleInspection,
): SegmentRecord {
  const isNew = record.origin === 'machine' && record.state === 'ok' && record.made === undefined;
  return isNew ? { ...record, made: cueInputs(text, record, sentences) } : record;
}

interface Outcome {
  readonly seen: SubtitleInspection;
  readonly records: readonly SegmentRecord[];
}

async function deliver(
  options: SubtitleLaneOptions,
  turn: Attempt,
  outcome: Outcome,
): Promise<LaneResult> {
  const { run, text } = turn;
  const { seen, records } = outcome;
  const { bytes, problem } = await composeSubtitles(seen, records, text.targetPath);
  if (problem !== undefined) return held(options.clock, unsound(text, problem));
  const at = isoTime(options.clock);
  const expectedOld = seen.target?.hash ?? null;
  const hash = hashBytes(bytes);
  const base = { segments: records, recipe: text.recipe.key, at, targetHash: hash };
  const written = await publish(run, {
    root: text.root,
    path: text.targetPath,
    bytes,
    hash,
    expectedOld,
    prepare: () => text.baseline.prepare(base, expectedOld),
  });
  if (text.route.subtitles.report) await writeReport(text, outcome);
  const changed = written.hash === expectedOld ? [] : [written.path];
  const wrote: Written[] = [written];
  return { kind: 'delivered', wrote, changed, state: finalState(at, records) };
}

async function writeReport(text: TextCase, { seen, records }: Outcome): Promise<void> {
  const report = reportOf(records, {
    format: seen.film.format,
    limits: seen.limits,
    source: text.sourceLanguage,
    target: text.job.language,
  });
  const path = join(text.root, reportPath(text.targetPath));
  const content = `${JSON.stringify(report, null, 2)}\n`;
  await writeIfDifferent({ path, root: text.root, content, durability: 'cached' });
}

/** A target that merging would damage stays as it is: it is done if nothing is asked of it, and waits for a person else. */
async function leaveAlone(
  clock: Clock,
  { run, text }: Attempt,
  seen: SubtitleInspection,
): Promise<LaneResult | undefined> {
  const { kind } = run.job.release ?? {};
  if (seen.target === undefined || kind === 'machine' || kind === 'retry') return undefined;
  const { hash, stat } = seen.target;
  const at = isoTime(clock);
  const isSettled =
    kind === 'human' || seen.merge.decisions.every((each) => asksNothing(each, seen));
  // What we knew of it stays known: otherwise the next look would be a first contact.
  const segments = [...seen.base.values()];
  const record = { segments, targetHash: hash, recipe: text.recipe.key, at };
  if (segments.length > 0) await text.baseline.prepare(record, hash);
  const state: Extract<JobState, { kind: 'done' | 'held' }> = isSettled
    ? { kind: 'done', at }
    : { kind: 'held', at, hold: blockerHold(seen, text.targetPath) };
  return { kind: 'delivered', wrote: [{ path: text.targetPath, hash, stat }], changed: [], state };
}

function blockerHold({ blocker, source, target }: SubtitleInspection, path: string): Hold {
  if (blocker === 'unplaced') return { kind: 'edited-target', beside: null };
  const [ours, theirs] = [source, target].map((read) => read?.file.cues.length ?? 0);
  return {
    kind: 'unsuitable',
    message: `${path} is there already, with ${theirs} subtitles for ${ours}, shown at other times: it is left as it is`,
    advice: `give both the same subtitles, or have it replaced by a translation: dragoman retry ${path}`,
  };
}

function brokenFile(error: unknown): Hold {
  return {
    kind: 'unsuitable',
    message: describeFailure(failureOf(error)),
    advice: 'mend the file; it is picked up by itself',
  };
}

function unsound({ targetPath }: TextCase, problem: string): Hold {
  return {
    kind: 'unsuitable',
    message: `${targetPath} was not written: read back, ${problem}`,
    advice: `change the text that broke it, or: dragoman retry ${targetPath}`,
  };
}

function held(clock: Clock, hold: Hold): LaneResult {
  return { kind: 'held', state: { kind: 'held', at: isoTime(clock), hold } };
}
