/** Puts a person's texts in place: into the translation first, then into the lock. Nothing is bought, and no job is begun. */
import { isoTime } from '../../clock.ts';
import { describeFailure, failureOf, JobFailure } from '../../failure.ts';
import { bytesIn } from '../../files/disk.ts';
import { replaceFile } from '../../files/replace.ts';
import { parse } from '../../parsing/parse.ts';
import type { SourceHash, Statement } from '../../segments/statements.ts';
import type { LocalControlOptions } from '../options.ts';
import { packedPair, type ReviewPair, targetOf } from './files.ts';
import { type ReviewText, WRITE_REVIEW } from './parsers.ts';

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

/** @param act `try` only looks whether they can be written */
export async function saveTexts(
  options: LocalControlOptions,
  pair: ReviewPair,
  { savings, act }: { readonly savings: readonly Saving[]; readonly act: 'try' | 'write' },
): Promise<Saved> {
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
    const { bytes, hash, replaced } = written;
    if (act === 'write' && bytes !== undefined) {
      if (hash !== replaced) {
        const { root } = pair.project;
        await replaceFile({ path: file, root, content: bytes, expectedOld: replaced });
      }
      const hashes = new Map(written.written.map(({ id, targetHash }) => [id, targetHash]));
      await speak(
        options,
        pair,
        savings.flatMap((saving) => statementOf(saving, hashes.get(saving.text.id)) ?? []),
      );
    }
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

function statementOf(
  { text, target, isReviewed, older }: Saving,
  targetHash: ReviewText['targetHash'] | undefined,
): Statement | undefined {
  if (targetHash === undefined) return undefined;
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
