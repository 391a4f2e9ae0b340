/** Writes a person's texts: first into the translation, then into the lock. Nothing is bought, and no job is started. */
import { isoTime } from '../../clock.ts';
import { describeFailure, type Failure, failureOf, JobFailure } from '../../failure.ts';
import { bytesIn } from '../../files/disk.ts';
import { replaceFile } from '../../files/replace.ts';
import { bothRights } from '../../files/right.ts';
import { firstFormat } from '../../formats/all.ts';
import type { Hash, Stat } from '../../job.ts';
import { parse } from '../../parsing/parse.ts';
import { wantsReview } from '../../segments/review.ts';
import type { Statement } from '../../segments/statements.ts';
import type { PersonEdit } from '../../state/edit-log.ts';
import type { LockIndex } from '../../state/lock-file.ts';
import type { TextsBefore } from '../../state/undo.ts';
import type { Publishing, TargetReplacement, UndoRun } from '../../state/undo-log.ts';
import type { LocalControlOptions } from '../options.ts';
import type { ReviewText } from '../review-text.ts';
import { isUnreadable, packedPair, type ReviewPair, reviewThreads, targetPathOf } from './files.ts';
import type { RefusedText } from './judge-text.ts';
import {
  editOf,
  type FinishedSaving,
  mustLeaveLock,
  pairBefore,
  type Saving,
  stateLeft,
  statementOf,
  statementsBefore,
  stateWord,
  TARGET_STATE,
  textLeft,
} from './saving.ts';
import type { LeftText } from './texts.ts';
import { WRITE_REVIEW } from './thread-calls.ts';
import type { ReviewWriting, ReviewWritten } from './write-work.ts';

export interface Saved {
  /** The saved texts, as they are read back. */
  readonly left: readonly LeftText[];
  /** Whether all other texts of the file are read as before. In formats without keys, a text may change how others are read. */
  readonly isAlone: boolean;
  readonly saved: readonly Saving[];
  readonly refused: readonly { readonly saving: Saving; readonly reason: string }[];
  readonly warnings: readonly { readonly saving: Saving; readonly message: string }[];
  /** Nothing was written because somebody else wrote the file meanwhile. It may be tried again with the new content. */
  readonly isOvertaken: boolean;
  /** Nothing was written because a file could not be read: somebody else may be writing it. */
  readonly isUnreadable: boolean;
}

export interface SaveRequest {
  readonly savings: readonly Saving[];
  /** All texts of the file as they are now: a message with one mark for its plural forms is reviewed when all of them are. */
  readonly texts: readonly ReviewText[];
  /** File status of the target in which the person saw these texts; undefined: there was none. */
  readonly seen: Stat | undefined;
  /** `try` only checks whether the texts can be written. */
  readonly act: 'try' | 'write';
  readonly by: string;
  readonly how: PersonEdit['how'];
  /** `none`: the texts do not change, and the person only states how far their review is. */
  readonly checks?: 'none';
  /** Records the replacement before it happens; absent: it cannot be undone. */
  readonly undo?: (step: TargetReplacement, before: TextsBefore['before']) => Promise<void>;
}

export async function saveTexts(
  options: LocalControlOptions,
  pair: ReviewPair,
  request: SaveRequest,
): Promise<Saved> {
  const { savings, act } = request;
  const byId = new Map(savings.map((saving) => [saving.text.id, saving]));
  const of = (id: string) => byId.get(id) as Saving;
  const file = targetPathOf(pair);
  const wants = wantsReview(pair.route.policies, pair.language);
  try {
    const written = await parse(
      WRITE_REVIEW,
      {
        ...(await packedPair(options, pair, await knowledgeFor(pair))),
        texts: savings.map((saving) => {
          const { id, target_hash: was } = saving.text;
          const words = {
            state: TARGET_STATE[stateLeft(saving, wants)],
            now: stateWord(saving.text.state),
          };
          return { id, text: saving.target, was, ...words };
        }),
        at: isoTime(options.clock),
        kept: keptForms(request),
        seen: request.seen,
        ...(request.checks && { checks: request.checks }),
      },
      {
        ...{ file, bytes: await bytesIn(file, `${pair.project.root}/${pair.source.path}`) },
        on: reviewThreads,
      },
    );
    const left = act === 'write' ? await put(options, pair, { request, written }) : [];
    return {
      left,
      isAlone: written.isKeyed,
      saved: written.written.map(({ id }) => of(id)),
      refused: written.refused.map((each) => ({ saving: of(each.id), ...adviceIn(each, request) })),
      warnings: written.warnings.map(({ id, message }) => ({ saving: of(id), message })),
      isOvertaken: false,
      isUnreadable: false,
    };
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    return noneSaved(savings, failureOf(error));
  }
}

/** The forms of the saved plurals that are not saved themselves. */
function keptForms({ savings, texts }: SaveRequest): ReviewWriting['kept'] {
  const plurals = new Set(savings.flatMap(({ text }) => text.check.plural ?? []));
  if (plurals.size === 0) return [];
  const saved = new Set(savings.map(({ text }) => text.id));
  const others = texts.filter(
    ({ id, check }) => check.plural !== undefined && plurals.has(check.plural) && !saved.has(id),
  );
  return others.map(({ id, state }) => ({ id, state: stateWord(state) }));
}

/** What to do, by where the person works: somebody who has only the page cannot give commands. */
const ADVICE = {
  page: { now: 'save it again', 'after-run': 'save it after the next run' },
  import: { now: 'import it again', 'after-run': 'run "dragoman once", and import it again' },
  mark: { now: 'mark it again', 'after-run': 'run "dragoman once", and mark it again' },
} as const;

function adviceIn({ message, again }: RefusedText, { how }: SaveRequest): { reason: string } {
  return { reason: again === undefined ? message : `${message}: ${ADVICE[how][again]}` };
}

function noneSaved(savings: readonly Saving[], failure: Failure): Saved {
  const reason = describeFailure(failure);
  return {
    isOvertaken: failure.kind === 'changed-meanwhile',
    isUnreadable: isUnreadable(failure),
    left: [],
    isAlone: false,
    saved: [],
    refused: savings.map((saving) => ({ saving, reason })),
    warnings: [],
  };
}

/** In a keyed format, the key alone finds a text. The records of 100,000 texts take long to read, so only other formats read them. */
async function knowledgeFor({ source }: ReviewPair): Promise<'all' | 'none'> {
  const format = await firstFormat(source.path);
  return format?.shape === 'keyed' && format.expectsByMaker !== 'variants' ? 'none' : 'all';
}

interface Put {
  readonly request: SaveRequest;
  readonly written: ReviewWritten;
}

/** Writes the target, then the lock, then the log of edits. */
async function put(
  options: LocalControlOptions,
  pair: ReviewPair,
  { request, written }: Put,
): Promise<LeftText[]> {
  const { bytes, hash, replaced } = written;
  if (bytes === undefined || hash === undefined) return [];
  const { project, target } = pair;
  const wants = wantsReview(pair.route.policies, pair.language);
  const byId = new Map(written.written.map((each) => [each.id, each]));
  const done = request.savings.flatMap((saving) => {
    const read = byId.get(saving.text.id);
    return read === undefined ? [] : { ...read, saving };
  });
  const decided = done.map((each) => statementOf(each, wants));
  if (request.undo !== undefined) {
    const index = await statementsAbout(done, options, pair);
    const before = done.flatMap((each, at) => {
      const wrote = decided[at] as Statement;
      return statementsBefore(each.saving, { index, wrote, isKeyed: written.isKeyed });
    });
    await request.undo({ path: target, hash, expectedOld: replaced }, before);
  }
  let left: LeftText['target'];
  if (hash !== replaced) {
    const content = { bytes, hash, expectedOld: replaced, how: request.how };
    left = { stat: await replaceTarget(options, pair, content), hash };
  }
  // In a keyed format, the new statement about a unit replaces all earlier ones.
  const current = done.filter(({ saving }) => saving.older === undefined);
  const renewed = new Set(written.isKeyed ? current.map(({ saving }) => saving.text.unit) : []);
  const over = written.isKeyed
    ? []
    : current.filter(mustLeaveLock).map(({ saving }) => pairBefore(saving));
  const name = { project: project.name, language: pair.language };
  await options.amendLock(name, pair.source.path, { decided, renewed, over });
  const at = isoTime(options.clock);
  await options.edits.record(
    done
      .filter(({ saving }) => saving.isWanted === undefined)
      .map(({ saving, targetHash }) => ({
        ...editOf(pair, saving),
        ...{ targetHash, at, by: request.by, how: request.how },
      })),
  );
  return done.map((each) => ({ target: left, text: textLeft(each, wants) }));
}

interface SavedContent extends Pick<SaveRequest, 'how'> {
  readonly bytes: Uint8Array;
  readonly hash: Hash;
  readonly expectedOld: Hash | null;
}

async function replaceTarget(
  options: LocalControlOptions,
  pair: ReviewPair,
  { bytes, hash, expectedOld, how }: SavedContent,
): Promise<Stat> {
  const { project, target } = pair;
  using reserved = await options.reservations.take({ project: project.name, path: target });
  const right = bothRights(reserved, options.right);
  options.saves({ project: project.name, path: target, hash, how });
  const path = targetPathOf(pair);
  const { root } = project;
  return (await replaceFile({ path, root, content: bytes, expectedOld, right })).stat;
}

/** The statements of the lock about these texts. */
async function statementsAbout(
  done: readonly FinishedSaving[],
  { lock }: LocalControlOptions,
  { project, language }: ReviewPair,
): Promise<LockIndex | undefined> {
  const units = done.map(({ saving }) => saving.text.unit);
  return await lock?.indexOf({ project: project.name, language }, units);
}

interface Replaced {
  readonly step: TargetReplacement;
  readonly before: TextsBefore['before'];
  /** The changes that are undone together. */
  readonly run: UndoRun;
}

/** Records a change for `undo`. */
export async function recordRun(
  options: LocalControlOptions,
  pair: ReviewPair,
  { step, before, run }: Replaced,
): Promise<void> {
  const job = undoneJob(options, pair);
  await options.undo.record({ job, root: pair.project.root, step, by: 'import', before }, run);
}

/** What `undo` keeps of the job of a pair. In a new clone a person may change a target before any job has inspected it. */
export function undoneJob(
  { ledger }: Pick<LocalControlOptions, 'ledger'>,
  { id, project, source, language }: ReviewPair,
): Publishing['job'] {
  const named = { id, project: project.name, source: source.path, language };
  return ledger.get('jobs', id) ?? { ...named, wrote: [], delivered: null };
}
