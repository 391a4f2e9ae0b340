/** Taking a run back: what it wrote, in the order in which it did, as one step for each file. Pure. */
import type { Fingerprint, Hash, JobId } from '../job.ts';
import type { LanguageTag } from '../language.ts';
import type { Written } from '../ledger.ts';
import type { Statement } from '../segments/statements.ts';

/** A job is about to put a target in place. */
export interface Replacing {
  readonly job: JobId;
  readonly project: string;
  /** Of the target, relative to the project's root. */
  readonly path: string;
  /** What comes. */
  readonly wrote: Hash;
  /** What stands there; null for nothing. */
  readonly old: UndoCopy | null;
  /** The job as it was when the run took it up. */
  readonly before: JobBefore;
  /** Absent: the job wrote it. `review`: a person, on the page. */
  readonly by?: 'import' | 'review';
}

/** What the lock said of a text before a person spoke of it, in a file or on the page. */
export interface SaidBefore extends Statement {
  /** Of its segment. */
  readonly id: string;
  /** Whether the text became another one: its file goes back with it. */
  readonly isChanged: boolean;
  /** The person asked for a reviewer; absent: they gave their text, or their approval. */
  readonly isWanted?: true;
}

/** A person spoke of texts, whether their file changed for it or not. */
export interface Spoke {
  readonly project: string;
  /** Of the target, relative to the project's root. */
  readonly path: string;
  readonly source: string;
  readonly language: LanguageTag;
  readonly job: JobId;
  readonly before: readonly SaidBefore[];
}

/** A copy of what was replaced. */
export interface UndoCopy {
  readonly hash: Hash;
  /** Names of the copies of the file and, for lanes with segments, of its base. */
  readonly file: string;
  readonly base?: string;
}

export interface JobBefore {
  readonly wrote: readonly Written[];
  readonly delivered: Fingerprint | null;
}

/** What undoes a run for one file. */
export interface UndoStep {
  readonly project: string;
  readonly path: string;
  /** What the run wrote there: the last of it, unless it was killed before that was in place. */
  readonly ours: ReadonlySet<Hash>;
  /** What stood there before the run; null: nothing. */
  readonly old: UndoCopy | null;
  /** Several where one file holds all languages. */
  readonly jobs: readonly { readonly id: JobId; readonly first: Replacing }[];
  /** A person's texts, which no job would write again by itself. */
  readonly isPersons: boolean;
  /** Somebody else wrote there between two writings of the run: their work would be lost. */
  readonly isMixed: boolean;
}

/** @param replacings of one run, in the order in which they happened */
export function undoSteps(replacings: readonly Replacing[]): UndoStep[] {
  const files = Map.groupBy(replacings, ({ project, path }) => `${project}/${path}`);
  return [...files.values()].flatMap((all) => stepFor(all) ?? []);
}

function stepFor(all: readonly Replacing[]): UndoStep | undefined {
  const [first] = all;
  if (first === undefined) return undefined;
  const ours = new Set(all.map(({ wrote }) => wrote));
  const isKnown = (hash: Hash | null) =>
    hash === (first.old?.hash ?? null) || (hash !== null && ours.has(hash));
  const jobs = Map.groupBy(all, ({ job }) => job);
  return {
    project: first.project,
    path: first.path,
    ours,
    old: first.old,
    jobs: [...jobs].flatMap(([id, [first]]) => (first === undefined ? [] : { id, first })),
    isPersons: all.every(({ by }) => by !== undefined),
    isMixed: !all.every(({ old }) => isKnown(old?.hash ?? null)),
  };
}

/** What is to be done about a step, from what stands at its place now. */
export type UndoVerdict =
  | { readonly kind: 'put-back'; readonly found: Hash }
  /** The file is as it was already: only the job is to hear of it. */
  | { readonly kind: 'as-before' }
  | { readonly kind: 'leave'; readonly reason: string };

/** @param found hash of what stands there now, null for nothing */
export function undoVerdict(step: UndoStep, found: Hash | null): UndoVerdict {
  if (found === (step.old?.hash ?? null)) return { kind: 'as-before' };
  if (step.isMixed) return { kind: 'leave', reason: 'somebody else wrote there during the run' };
  if (found === null || !step.ours.has(found)) {
    return { kind: 'leave', reason: found === null ? 'it is gone' : 'it was changed since' };
  }
  return { kind: 'put-back', found };
}
