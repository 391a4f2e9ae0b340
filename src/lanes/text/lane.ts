/** The text lane: segment by segment, byte-exact outside of what was translated, joined with other jobs' texts into full requests. */
import { join } from 'node:path';
import { type Clock, isoTime } from '../../clock.ts';
import { JobFailure } from '../../failure.ts';
import { holdsStill } from '../../files/disk.ts';
import { Mutex } from '../../files/mutex.ts';
import { publish } from '../../files/publish.ts';
import type { Hold, Job } from '../../job.ts';
import { sourceHashOf } from '../../job.ts';
import type { LaneResult, LaneRun, LaneWorker } from '../../lane.ts';
import type { JobRecord, Written } from '../../ledger.ts';
import { isPage, readingOf } from '../../plan/reading.ts';
import type { Allowance } from '../../plan/spending.ts';
import type { Draft } from '../../translate/draft.ts';
import type { Finished } from '../../translate/draft-outcome.ts';
import type { Drafts } from '../../translate/drafts.ts';
import { improved, pricesOf } from '../../translate/improvement.ts';
import type { Answer, Wanted } from '../../translate/order.ts';
import { improvementBill } from '../../translate/rule-notes.ts';
import type { TextCase } from '../../translate/text-case.ts';
import { PORTION, wantedFrom } from '../../translate/text-orders.ts';
import type { Participant, Translator } from '../../translate/translate.ts';

export interface TextLaneOptions {
  readonly translator: Pick<Translator, 'join'>;
  readonly drafts: Drafts;
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
  const mutex = new Mutex();
  return {
    lane: 'text',
    async run(run) {
      const text = await options.caseOf(run.job);
      // Before it joins: who waits for a turn or a seat adds no texts, and must not keep the others' requests back.
      using _turn = isShared(text) ? await mutex.take(text.sourcePath) : undefined;
      using seat = await options.drafts.seat(text, 'buy');
      using participant = options.translator.join();
      for (let merges = 1; ; merges++) {
        try {
          return await seat.use((draft) => attempt(options, { run, text, participant, draft }));
        } catch (error) {
          const isChanged =
            error instanceof JobFailure && error.failure.kind === 'changed-meanwhile';
          if (!isChanged || merges >= MERGES) throw error;
        }
      }
    },
    async estimate(job, counted, detail) {
      const text = await options.caseOf(job);
      using seat = await options.drafts.seat(text, 'look');
      using draft = await seat.open();
      const prices = await pricesOf(text, await textsOf(text, draft), counted);
      const notes = [
        ...draft.facts.notes,
        ...(await draft.staleTerms()),
        ...improvementBill(text, prices),
      ];
      // What is built otherwise than its source fails when it is written: that is said before it is paid for.
      if (draft.facts.target !== undefined && draft.facts.texts > 0) {
        await draft.rehearse(isoTime(options.clock));
      }
      const stands = await isAsItShallBe(draft, isoTime(options.clock));
      const { blocker, counts: texts, isSettled } = draft.facts;
      const isKept = blocker !== undefined && !isSettled && text.word.retryHeld !== true;
      const hold = isKept ? { hold: unlike(text) } : {};
      return {
        job,
        characters: prices.characters,
        atLeast: false,
        notes,
        stands,
        ...(blocker === undefined ? { texts } : hold),
        ...(detail === 'texts' ? { open: await draft.openUnits() } : {}),
      };
    },
  };
}

interface Attempt {
  readonly run: LaneRun;
  readonly text: TextCase;
  readonly participant: Participant;
  readonly draft: Draft;
}

/**
 * Whether the source holds all languages: the jobs of its languages follow each other, and what one of
 * them wrote makes the source no newer for the next.
 */
function isShared({ root, sourcePath, targetPath }: TextCase): boolean {
  return join(root, targetPath) === sourcePath;
}

async function attempt(options: TextLaneOptions, turn: Attempt): Promise<LaneResult> {
  const { run, text, participant, draft } = turn;
  const { source, blocker } = draft.facts;
  const isNewer = source.hash !== sourceHashOf(run.job.fingerprint);
  if (isNewer && !isShared(text)) return { kind: 'superseded' };
  const stay = blocker === undefined ? undefined : leaveAlone(options.clock, turn);
  if (stay !== undefined) return stay;
  const texts = await textsOf(text, draft);
  const { characters } = await pricesOf(text, texts, new Set());
  const allowance = options.allow(run.job, characters);
  if (allowance.kind === 'held') return heldBecause(options.clock, allowance.hold);
  using _reserved = allowance;
  const answers = await participant.translate(await improved(participant, text, texts));
  // The answers are in the memory; the newer content takes from there what it still needs.
  if (!(await holdsStill(text.sourcePath, source))) {
    if (!isShared(text)) return { kind: 'superseded' };
    throw new JobFailure({ kind: 'changed-meanwhile', file: text.sourcePath });
  }
  const finished = await finish(draft, answers, isoTime(options.clock));
  const { termsMissing, state } = finished;
  if (termsMissing.length > 0) options.onTermsMissing(run.job, termsMissing);
  return { kind: 'delivered', ...(await put(turn, finished)), state, ...readingIn(text) };
}

function readingIn({ job, route }: TextCase): { reading?: string } {
  return isPage(job.source) ? { reading: readingOf(route) } : {};
}

/** The texts that a draft wants to buy. */
async function textsOf(text: TextCase, draft: Draft): Promise<Wanted[]> {
  const texts: Wanted[] = [];
  while (texts.length < draft.facts.texts) {
    for (const open of await draft.texts(texts.length)) texts.push(wantedFrom(text, open));
  }
  return texts;
}

async function finish(draft: Draft, answers: readonly Answer[], at: string): Promise<Finished> {
  for (let from = 0; from < answers.length; from += PORTION) {
    await draft.answer(answers.slice(from, from + PORTION));
  }
  return await draft.finish(at);
}

/** Whether a run would leave the target's bytes as they are, with nothing to be asked of a person. */
async function isAsItShallBe(draft: Draft, at: string): Promise<boolean> {
  const { target, blocker, isSettled, texts } = draft.facts;
  if (target === undefined || texts > 0) return false;
  if (blocker !== undefined) return isSettled;
  const { content, state } = await draft.finish(at);
  return content?.hash === target.hash && state.kind === 'done';
}

/** A target that merging would damage stays as it is: it is done if nothing is asked of it, and waits for a person else. */
function leaveAlone(clock: Clock, { run, text, draft }: Attempt): LaneResult | undefined {
  const { target, isSettled } = draft.facts;
  if (target === undefined || isReleased(run.job)) return undefined;
  const at = isoTime(clock);
  return {
    kind: 'delivered',
    wrote: [{ path: text.targetPath, ...target }],
    changed: [],
    state: isSettled ? { kind: 'done', at } : { kind: 'held', at, hold: unlike(text) },
  };
}

/** A person said that the machine's version may replace what stands there. */
function isReleased({ release }: JobRecord): boolean {
  return release?.kind === 'machine' || release?.kind === 'retry';
}

function unlike({ root, targetPath }: TextCase): Hold {
  return {
    kind: 'unsuitable',
    message: `${join(root, targetPath)} is there already, but not built like its source: it is left as it is`,
    advice:
      'bring both to the same number of paragraphs, or delete the target to have it translated',
  };
}

async function put(
  { run, text, draft }: Attempt,
  { content }: Finished,
): Promise<{ wrote: Written[]; changed: string[] }> {
  if (content === undefined) return { wrote: [], changed: [] };
  const expectedOld = draft.facts.target?.hash ?? null;
  const written = await publish(run, {
    root: text.root,
    path: text.targetPath,
    ...content,
    expectedOld,
    prepare: () => draft.prepare(),
  });
  return { wrote: [written], changed: written.hash === expectedOld ? [] : [written.path] };
}

function heldBecause(clock: Clock, hold: Hold): LaneResult {
  return { kind: 'held', state: { kind: 'held', at: isoTime(clock), hold } };
}
