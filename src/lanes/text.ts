/** The text lane: segment by segment, byte-exact outside of what was translated, joined with other jobs' texts into full requests. */
import { join } from 'node:path';
import { type Clock, isoTime } from '../clock.ts';
import { statOf } from '../disk.ts';
import { type Examination, examine, makingFor, type TextCase } from '../examine.ts';
import { JobFailure } from '../failure.ts';
import type { Part } from '../format.ts';
import { improved, pricesOf } from '../improvement.ts';
import type { Hold, Job } from '../job.ts';
import type { LaneResult, LaneRun, LaneWorker } from '../lane.ts';
import type { JobRecord, Written } from '../ledger.ts';
import { publish } from '../publish.ts';
import { sourceHashOf } from '../recipe.ts';
import { boughtAgain, improvementBill, termsMissing } from '../rule-notes.ts';
import { finalState } from '../segments/final-state.ts';
import { type SegmentRecord, sameText } from '../segments/record.ts';
import { type Bought, settle } from '../segments/settle.ts';
import { type Purchase, purchasesOf } from '../shopping.ts';
import type { Allowance } from '../spending.ts';
import { compose, type Placement } from '../text/compose.ts';
import { refusedSegments } from '../text/verify.ts';
import type { Participant, Translator } from '../translate.ts';
import { Turns } from '../turns.ts';

export interface TextLaneOptions {
  readonly translator: Translator;
  readonly clock: Clock;
  /** Everything around a job: its route, recipe, paths, memory and segment base. */
  caseOf(job: Job): Promise<TextCase>;
  /** What keeps a job of that price from being bought now; reserves it otherwise. */
  allow(job: JobRecord, characters: number): Allowance;
  /** Hears of terms that a translation should hold and does not, a sentence each. */
  onTermsMissing(job: JobRecord, findings: readonly string[]): void;
}

/** A target that a person edits again and again while we merge is left alone until they are done. */
const MERGES = 5;

export function textLane(options: TextLaneOptions): LaneWorker {
  const turns = new Turns();
  return {
    lane: 'text',
    async run(run) {
      const text = await options.caseOf(run.job);
      // Before it joins: who waits for a turn adds no texts, and must not keep the others' requests back.
      using _turn = isShared(text) ? await turns.take(text.sourcePath) : undefined;
      using participant = options.translator.join();
      for (let merges = 1; ; merges++) {
        try {
          return await attempt(options, { run, text, participant });
        } catch (error) {
          const isChanged =
            error instanceof JobFailure && error.failure.kind === 'changed-meanwhile';
          if (!isChanged || merges >= MERGES) throw error;
        }
      }
    },
    async estimate(job, counted) {
      const text = await options.caseOf(job);
      const seen = await examine(text);
      const prices = pricesOf(text, purchasesOf(text, seen), counted);
      const { characters } = prices;
      const notes = [...boughtAgain(text, seen), ...improvementBill(text, prices)];
      return { job, characters, atLeast: false, notes };
    },
  };
}

interface Attempt {
  readonly run: LaneRun;
  readonly text: TextCase;
  readonly participant: Participant;
}

/**
 * Whether the source holds all languages: the jobs of its languages follow each other (decisions.md 11), and what one of
 * them wrote makes the source no newer for the next.
 */
function isShared({ root, sourcePath, targetPath }: TextCase): boolean {
  return join(root, targetPath) === sourcePath;
}

async function attempt(options: TextLaneOptions, turn: Attempt): Promise<LaneResult> {
  const { run, text, participant } = turn;
  const seen = await examine(text);
  const isNewer = seen.source.hash !== sourceHashOf(run.job.fingerprint);
  if (isNewer && !isShared(text)) return { kind: 'superseded' };
  const stay = seen.obstacle === undefined ? undefined : leaveAlone(options.clock, turn, seen);
  if (stay !== undefined) return stay;
  const purchases = purchasesOf(text, seen);
  const allowance = options.allow(run.job, pricesOf(text, purchases, new Set()).characters);
  if (allowance.kind === 'held') return heldBecause(options.clock, allowance.hold);
  using _reserved = allowance;
  const wanted = purchases.flatMap((purchase) => purchase.wanted);
  const answers = await participant.translate(await improved(participant, text, wanted));
  // The answers are in the memory; the newer content takes from there what it still needs.
  if ((await statOf(text.sourcePath)) !== seen.source.stat) {
    if (!isShared(text)) return { kind: 'superseded' };
    throw new JobFailure({ kind: 'changed-meanwhile', file: text.sourcePath });
  }
  const outcome = outcomeOf(text, seen, { purchases, answers });
  const bought = new Set(purchases.map(({ id }) => id));
  const missing = termsMissing(text, outcome.records, bought);
  if (missing.length > 0) options.onTermsMissing(run.job, missing);
  const wrote = await put(options, turn, outcome);
  return {
    kind: 'delivered',
    ...wrote,
    state: finalState(isoTime(options.clock), outcome.records),
  };
}

/** A target that merging would damage stays as it is: it is done if nothing is asked of it, and waits for a person else. */
function leaveAlone(
  clock: Clock,
  { run, text }: Attempt,
  seen: Examination,
): LaneResult | undefined {
  if (seen.target === undefined || isReleased(run.job)) return undefined;
  const { hash, stat } = seen.target;
  const at = isoTime(clock);
  const isSettled = seen.merge.decisions.every(({ kind }) => kind === 'keep' || kind === 'omit');
  return {
    kind: 'delivered',
    wrote: [{ path: text.targetPath, hash, stat }],
    changed: [],
    state: isSettled ? { kind: 'done', at } : { kind: 'held', at, hold: obstacleHold(seen) },
  };
}

/** A person said that the machine's version may replace what stands there. */
function isReleased({ release }: JobRecord): boolean {
  return release?.kind === 'machine' || release?.kind === 'retry';
}

function obstacleHold({ obstacle, reader }: Examination): Hold {
  return obstacle === 'unplaced'
    ? { kind: 'edited-target', beside: null }
    : {
        kind: 'unsuitable',
        message: `${reader.options.file} is there already, but not built like its source: it is left as it is`,
        advice:
          'bring both to the same number of paragraphs, or delete the target to have it translated',
      };
}

interface Shopped {
  readonly purchases: readonly Purchase[];
  readonly answers: readonly Bought[];
}

/** What shall stand, composed; a bought text that would not read back as it was written is refused, and the rest ships. */
function outcomeOf(text: TextCase, seen: Examination, shopped: Shopped): Outcome {
  const unfit = new Map<string, string>();
  for (;;) {
    const records = settleAll(seen, shopped, unfit).map((record) => withMaking(text, record));
    try {
      return { seen, records, bytes: composed(seen, records) };
    } catch (error) {
      const problems = refusedSegments(error).filter(({ key }) => !unfit.has(key));
      const bought = new Set(shopped.purchases.map(({ id }) => id));
      if (!problems.some(({ key }) => bought.has(key))) throw error;
      for (const { key, message } of problems) unfit.set(key, message);
    }
  }
}

function settleAll(
  { merge, reader }: Examination,
  { purchases, answers }: Shopped,
  unfit: ReadonlyMap<string, string>,
): SegmentRecord[] {
  const rest = answers.values();
  const bought = new Map(
    purchases.map(({ id, wanted, join }) => [id, join([...rest.take(wanted.length)])]),
  );
  for (const [id, problem] of unfit) bought.set(id, { kind: 'refused', problem });
  return merge.decisions.flatMap(
    (decision) => settle(decision, bought.get(decision.id), reader.format.shape) ?? [],
  );
}

/** What a text is bought with is noted with it: later only a change that it could show re-buys it. */
function withMaking(text: TextCase, record: SegmentRecord): SegmentRecord {
  const isNew = record.origin === 'machine' && record.state === 'ok' && record.made === undefined;
  return isNew ? { ...record, made: makingFor(text, [record.source]) } : record;
}

interface Outcome {
  readonly seen: Examination;
  readonly records: readonly SegmentRecord[];
  /** Undefined: there is nothing to write. */
  readonly bytes: Uint8Array | undefined;
}

function composed(seen: Examination, records: readonly SegmentRecord[]): Uint8Array | undefined {
  const { target, source, reader, merge } = seen;
  const placements = placementsFor(seen, records);
  if (target === undefined && ![...placements.values()].some(({ kind }) => kind === 'write')) {
    return undefined;
  }
  return compose({
    ...reader,
    source,
    ...(target === undefined ? {} : { target }),
    placements,
    removed: new Set(merge.removed.map(({ id }) => id)),
  }).bytes;
}

async function put(
  options: TextLaneOptions,
  { run, text }: Attempt,
  { seen, records, bytes }: Outcome,
): Promise<{ wrote: Written[]; changed: string[] }> {
  if (bytes === undefined) return { wrote: [], changed: [] };
  const expectedOld = seen.target?.hash ?? null;
  const record = { segments: records, recipe: text.recipe.key, at: isoTime(options.clock) };
  const written = await publish(run, {
    root: text.root,
    path: text.targetPath,
    bytes,
    expectedOld,
    base: { of: text.base, record },
  });
  return { wrote: [written], changed: written.hash === expectedOld ? [] : [written.path] };
}

function placementsFor({ merge, inPlace, target }: Examination, records: readonly SegmentRecord[]) {
  const byId = new Map(records.map((record) => [record.id, record]));
  const left: Placement = { kind: target === undefined ? 'omit' : 'keep' };
  return new Map(
    merge.decisions.map(({ id, kind }): [string, Placement] => [
      id,
      kind === 'omit' ? left : placementFor(byId.get(id), inPlace.get(id)),
    ]),
  );
}

// What stands there already keeps its own bytes, however it is spelled; only other texts are written.
function placementFor(
  record: SegmentRecord | undefined,
  standing: readonly Part[] | undefined,
): Placement {
  const parts = record?.target ?? null;
  if (parts === null) return { kind: 'omit' };
  return sameText(standing, parts) ? { kind: 'keep' } : { kind: 'write', parts };
}

function heldBecause(clock: Clock, hold: Hold): LaneResult {
  return { kind: 'held', state: { kind: 'held', at: isoTime(clock), hold } };
}
