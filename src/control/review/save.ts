/** Puts a person's texts in place: into the translation first, then into the lock. Nothing is bought, and no job is begun. */
import { isoTime } from '../../clock.ts';
import { describeFailure, failureOf, JobFailure } from '../../failure.ts';
import { bytesIn } from '../../files/disk.ts';
import { replaceFile } from '../../files/replace.ts';
import { parse } from '../../parsing/parse.ts';
import type { SourceHash, Statement } from '../../segments/statements.ts';
import type { Edit } from '../../state/edit-log.ts';
import type { Replacement } from '../../state/undo-log.ts';
import type { LocalControlOptions } from '../options.ts';
import { packedPair, type ReviewPair, targetOf } from './files.ts';
import { type ReviewText, type ReviewWritten, WRITE_REVIEW } from './parsers.ts';

/** What a person says of one text. */
export interface Saving {
  readonly text: ReviewText;
  /** What is to stand there; the same as now: only said to be right. */
  readonly target: string;
  readonly isReviewed: boolean;
  /** The source that the person translated, where it is not the one of today. */
  readonly older?: SourceHash;
}

export interface Saved {
  readonly saved: readonly Saving[];
  readonly refused: readonly { readonly saving: Saving; readonly reason: string }[];
  readonly warnings: readonly { readonly saving: Saving; readonly message: string }[];
}

export interface SaveRequest {
  readonly savings: readonly Saving[];
  /** `try` only looks whether they can be written. */
  readonly act: 'try' | 'write';
  readonly by: string;
  readonly how: Edit['how'];
  /** Notes what is about to be replaced; absent: nobody can take it back. */
  readonly undo?: (step: Replacement) => Promise<void>;
}

export async function saveTexts(
  options: LocalControlOptions,
  pair: ReviewPair,
  request: SaveRequest,
): Promise<Saved> {
  const { savings, act } = request;
  const byId = new Map(savings.map((saving) => [saving.text.id, saving]));
  const of = (id: string) => byId.get(id) as Saving;
  const file = targetOf(pair);
  try {
    const packed = await packedPair(options, pair);
    const written = await parse(
      WRITE_REVIEW,
      {
        ...packed,
        texts: savings.map(({ text: { id }, target }) => {
          return { id, text: target, state: 'translated' } as const;
        }),
        at: isoTime(options.clock),
      },
      { file, bytes: await bytesIn(file, `${pair.project.root}/${pair.source.path}`) },
    );
    if (act === 'write') await put(options, pair, { request, written });
    return {
      saved: written.written.map(({ id }) => of(id)),
      refused: written.refused.map(({ id, message }) => ({ saving: of(id), reason: message })),
      warnings: written.warnings.map(({ id, message }) => ({ saving: of(id), message })),
    };
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    const reason = describeFailure(failureOf(error));
    return { saved: [], refused: savings.map((saving) => ({ saving, reason })), warnings: [] };
  }
}

interface Put {
  readonly request: SaveRequest;
  readonly written: ReviewWritten;
}

/** The file, then the lock, then who did it. */
async function put(
  options: LocalControlOptions,
  pair: ReviewPair,
  { request, written }: Put,
): Promise<void> {
  const { bytes, hash, replaced } = written;
  if (bytes === undefined || hash === undefined) return;
  const { project, target } = pair;
  if (hash !== replaced) {
    await request.undo?.({ path: target, hash, expectedOld: replaced });
    const path = targetOf(pair);
    await replaceFile({ path, root: project.root, content: bytes, expectedOld: replaced });
  }
  const hashes = new Map(written.written.map(({ id, targetHash }) => [id, targetHash]));
  const done = request.savings.flatMap((saving) => {
    const targetHash = hashes.get(saving.text.id);
    return targetHash === undefined ? [] : { saving, targetHash };
  });
  const spoken = done.map(({ saving, targetHash }) => statementOf(saving, targetHash));
  await speak(options, pair, spoken);
  const at = isoTime(options.clock);
  await options.edits.note(
    done.map(({ saving, targetHash }) => ({
      ...editOf(pair, saving),
      ...{ targetHash, at, by: request.by, how: request.how },
    })),
  );
}

function editOf({ project, language, source }: ReviewPair, { text, target, isReviewed }: Saving) {
  return {
    ...{ project: project.name, language, path: source.path, id: text.id, source: text.source },
    ...{ before: text.target, made: text.mark, after: target, reviewed: isReviewed },
  };
}

function statementOf(
  { text, target, isReviewed, older }: Saving,
  targetHash: ReviewText['targetHash'],
): Statement {
  const mark = target === text.target ? text.mark : 'human';
  return {
    ...{ unit: text.unit, source: older ?? text.sourceHash, target: targetHash, mark },
    ...(isReviewed ? { review: 'reviewed' } : {}),
  };
}

/** Into the lock. One that has no file of the language yet is brought up to date first: else nothing of it would be known. */
export async function speak(
  options: LocalControlOptions,
  { project, language, source }: ReviewPair,
  spoken: readonly Statement[],
): Promise<void> {
  const name = { project: project.name, language };
  if (!(await options.hasLock(name))) await options.lock('keep');
  await options.amendLock(name, source.path, spoken);
}
