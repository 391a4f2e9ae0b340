/** Reads the files of a review: each source with its translation in each language. */
import { join } from 'node:path';
import { describeFailure, type Failure, failureOf } from '../../failure.ts';
import { bytesIn, parseStat, statOf } from '../../files/disk.ts';
import { type JobId, jobId, type Stat, type TargetPaths, targetList } from '../../job.ts';
import type { LanguageTag } from '../../language.ts';
import type { SourceRecord } from '../../ledger.ts';
import { parse } from '../../parsing/parse.ts';
import type { Subject } from '../../parsing/thread-call.ts';
import { LARGE, ParserThreads } from '../../parsing/threads.ts';
import { laneNow } from '../../plan/planner.ts';
import type { Project, Route } from '../../project.ts';
import { packLock } from '../../state/thread-locks.ts';
import type { PackedTarget } from '../../translate/inspected-case.ts';
import type { Scope } from '../control.ts';
import type { LocalControlOptions } from '../options.ts';
import { inScope } from '../scope.ts';
import { READ_MORE_TEXTS, READ_REVIEW } from './thread-calls.ts';
import type { ReviewedFile } from './thread-work.ts';

/**
 * Threads for reviews alone: a save never waits for a job with a large file. A file that was read stays in memory while a person works
 * through its texts.
 */
export const reviewThreads = new ParserThreads({ idleMs: 10 * 60_000 });

/** A source in one language: where both files are, and how they are read. */
export interface ReviewPair {
  readonly id: JobId;
  readonly project: Project;
  readonly route: Route;
  readonly source: SourceRecord;
  readonly language: LanguageTag;
  /** Relative to the root. */
  readonly target: string;
}

/** In the order of the ledger, without files that are not translated text by text. */
export function* pairsIn({ ledger, inForce }: LocalControlOptions, scope: Scope) {
  const { planner, router } = inForce;
  const rootOf = (project: string) => planner.project(project)?.root;
  for (const source of ledger.all('sources')) {
    const project = planner.projectOf(source);
    if (project === undefined) continue;
    const match = router.match(source.project, source.path);
    if (match.kind !== 'source' || laneNow(source, match) !== 'text') continue;
    for (const language of project.targets) {
      const targets: TargetPaths = match.targets(language);
      const [target] = targetList(targets);
      const place = { project: project.name, language, source: source.path, targets };
      if (target === undefined || !inScope(scope, place, rootOf)) continue;
      const id = jobId(project.name, language, source.path);
      yield { id, project, route: match.route, source, language, target } satisfies ReviewPair;
    }
  }
}

function sourceFilePath({ project, source }: ReviewPair): string {
  return join(project.root, source.path);
}

export function targetPathOf({ project, target }: ReviewPair): string {
  return join(project.root, target);
}

/** A job or a person may write a file while it is read. Reading and writing are then tried again, at most so many times. */
export const MOST_TRIES = 5;

/** Milliseconds after which a program that writes a file in place is done with it. */
const STILL_MS = 250;

/**
 * Waits for a program that is writing one of the files: until it is done, the file is empty or cut.
 * @returns whether it waited, so that the files must be read again
 */
export async function waitUntilStill(
  { clock }: LocalControlOptions,
  pair: ReviewPair,
): Promise<boolean> {
  const stats = [await statOf(sourceFilePath(pair)), await statOf(targetPathOf(pair))] as const;
  // Some programs remove a file before they write it again. A target may also be missing for ever.
  const isRemoved = stats[0] === undefined;
  const times = stats.flatMap((stat) => (stat === undefined ? [] : [modifiedMs(stat)]));
  const age = isRemoved ? 0 : clock.now() - Math.max(...times);
  if (Math.abs(age) >= STILL_MS) return false;
  await clock.sleep(STILL_MS - Math.max(0, age));
  return true;
}

function modifiedMs(stat: Stat): number {
  return Number(parseStat(stat).mtimeNs / 1_000_000n);
}

/** @returns the texts; or a sentence that says why they cannot be read */
export async function readPair(
  options: LocalControlOptions,
  pair: ReviewPair,
): Promise<ReviewedFile | string> {
  for (let tries = 1; ; tries += 1) {
    const read = await readOnce(options, pair);
    if (read.kind === 'read') return read.file;
    const { failure } = read;
    const isAgain =
      failure.kind === 'changed-meanwhile' ||
      (isUnreadable(failure) && (await waitUntilStill(options, pair)));
    if (!isAgain || tries === MOST_TRIES) return describeFailure(failure);
  }
}

/** Whether the file could not be read as it is. */
export function isUnreadable({ kind }: Failure): boolean {
  return kind === 'malformed' || kind === 'unreadable';
}

type ReadAttempt =
  | { readonly kind: 'read'; readonly file: ReviewedFile | string }
  | { readonly kind: 'failed'; readonly failure: Failure };

async function readOnce(options: LocalControlOptions, pair: ReviewPair): Promise<ReadAttempt> {
  const file = sourceFilePath(pair);
  try {
    const bytes = await bytesIn(file, targetPathOf(pair));
    const read = await textsIn(await packedPair(options, pair), { file, bytes });
    return { kind: 'read', file: read.isUnlike ? 'it is not built like its source' : read };
  } catch (error) {
    return { kind: 'failed', failure: failureOf(error) };
  }
}

/** A large file comes in portions: all its texts at once would stop this thread for seconds. */
async function textsIn(packed: PackedTarget, subject: Subject): Promise<ReviewedFile> {
  if (subject.bytes < LARGE)
    return await parse(READ_REVIEW, packed, { ...subject, on: reviewThreads });
  return await reviewThreads.onOneThread(subject, async (thread) => {
    const rest = ++files;
    const { isLast, ...first } = await thread.run(READ_REVIEW, { ...packed, rest }, subject);
    const texts = [...first.texts];
    for (let isOver = isLast; !isOver; ) {
      const next = await thread.run(READ_MORE_TEXTS, rest, subject);
      for (const text of next.texts) texts.push(text);
      isOver = next.isLast;
    }
    return { ...first, texts };
  });
}

/** Number of large files that were read; it names them on their threads. */
let files = 0;

/** The inputs for reading both files. @param knowledge `none`: only the contents of the two files, without ledger, lock and baseline */
export async function packedPair(
  { baselines, ledger, lock, inForce }: LocalControlOptions,
  { id, project, route, source, language, target }: ReviewPair,
  knowledge: 'all' | 'none' = 'all',
): Promise<PackedTarget> {
  const files = { project, route, source: source.path, target, language };
  if (knowledge === 'none') return files;
  const key = { project: project.name, language, path: source.path };
  const job = ledger.get('jobs', id);
  const reading = job && { wrote: job.wrote[0]?.hash, fence: job.fence + 1 };
  const stored = await baselines.of(key, reading?.wrote).stored.read();
  const { retranslateOn } = route.policies;
  const { terms, style } = inForce.planner.terms(project, language);
  const counts = retranslateOn.has('glossary') && terms !== undefined;
  return {
    ...files,
    ...(stored === undefined ? {} : { stored }),
    ...(reading === undefined ? {} : { reading }),
    ...(lock === undefined ? {} : { packedLock: packLock(lock) }),
    ...(counts ? { terms: { entries: terms.index.entries, version: terms.version } } : {}),
    ...(retranslateOn.has('style') && style !== undefined ? { style } : {}),
  };
}
