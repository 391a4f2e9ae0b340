/** Plans the undo of a run: one step for each file that it wrote. Pure. */
import type { Fingerprint, Hash, JobId } from '../job.ts';
import type { LanguageTag } from '../language.ts';
import type { Written } from '../ledger.ts';
import type { Statement } from '../segments/statements.ts';

/** A target that a job is about to replace. */
export interface Replacing {
  readonly job: JobId;
  readonly project: string;
  /** Path of the target, relative to the project's root. */
  readonly path: string;
  /** Hash of the new content. */
  readonly wrote: Hash;
  /** The present content; null: there is no file. */
  readonly old: UndoCopy | null;
  /** The job before the run. */
  readonly before: JobBefore;
  /** Absent: the job wrote it. `review`: a person, on the page. */
  readonly by?: 'import' | 'review';
}

/** The statement of the lock about a text before a person changed or confirmed it, in a file or on the page. */
export interface StatementBefore extends Statement {
  /** Id of the segment. */
  readonly id: string;
  /** Whether the text was changed: then the file is undone too. */
  readonly isChanged: boolean;
  /** The person asked for a reviewer; absent: the person changed or approved the text. */
  readonly isWanted?: true;
  /** The statements of the lock that the person's statement replaces; absent in logs of earlier versions. */
  readonly stood?: readonly Statement[];
  /** The texts of the person's statement; absent in logs of earlier versions. */
  readonly wrote?: Pick<Statement, 'source' | 'target'>;
}

/** Texts that a person changed or confirmed, whether the file changed or not. */
export interface TextsBefore {
  readonly project: string;
  /** Path of the target, relative to the project's root. */
  readonly path: string;
  readonly source: string;
  readonly language: LanguageTag;
  readonly job: JobId;
  readonly before: readonly StatementBefore[];
}

/** A copy of a replaced file. */
export interface UndoCopy {
  readonly hash: Hash;
  /** Names of the copies of the file and, for lanes with segments, of its baseline. */
  readonly file: string;
  readonly base?: string;
}

export interface JobBefore {
  readonly wrote: readonly Written[];
  readonly delivered: Fingerprint | null;
}

/** The step that undoes a run for one file. */
export interface UndoStep {
  readonly project: string;
  readonly path: string;
  /** Hashes of all contents that the run wrote there. */
  readonly ours: ReadonlySet<Hash>;
  /** The content before the run; null: there was no file. */
  readonly old: UndoCopy | null;
  /** Several where one file has all languages. */
  readonly jobs: readonly { readonly id: JobId; readonly first: Replacing }[];
  /** A person wrote the texts: no job would write them again by itself. */
  readonly isPersons: boolean;
  /** Somebody else wrote the file between two writings of the run: an undo would lose that. */
  readonly isMixed: boolean;
}

/** A replacement in one of the logs of a run: each daemon has a log, and writes its lines in order. */
export interface LoggedReplacing {
  readonly replacing: Replacing;
  readonly log: number;
}

/**
 * Puts the replacements of each file in the order in which they happened. The clocks of daemons differ by up to a second, so the
 * replaced content decides: it is what the replacement before wrote.
 * @param logged in the order of their times; those of one log in their order
 */
export function inReplacementOrder(logged: readonly LoggedReplacing[]): Replacing[] {
  const files = Map.groupBy(logged, ({ replacing }) => replacedFileKey(replacing));
  const ordered = new Map([...files].map(([file, all]) => [file, chained(all).values()]));
  return logged.map(
    ({ replacing }) =>
      ordered.get(replacedFileKey(replacing))?.next().value?.replacing ?? replacing,
  );
}

function chained(all: readonly LoggedReplacing[]): readonly LoggedReplacing[] {
  const logs = [...Map.groupBy(all, ({ log }) => log).values()];
  if (logs.length === 1) return all;
  const result: LoggedReplacing[] = [];
  for (let left = all; left.length > 0; left = left.filter((each) => each !== result.at(-1))) {
    const heads = left.filter((each) => left.find(({ log }) => log === each.log) === each);
    const latest = result.at(-1)?.replacing.wrote;
    const isMadeElsewhere = (head: LoggedReplacing) =>
      left.some(({ log, replacing }) => log !== head.log && replacing.wrote === oldOf(head));
    const next =
      heads.find((head) => oldOf(head) === latest) ??
      heads.find((head) => !isMadeElsewhere(head)) ??
      heads[0];
    if (next !== undefined) result.push(next);
  }
  return result;
}

function oldOf({ replacing }: LoggedReplacing): Hash | null {
  return replacing.old?.hash ?? null;
}

function replacedFileKey({ project, path }: Replacing): string {
  return `${project}/${path}`;
}

/** @param replacings of one run, in their order */
export function undoSteps(replacings: readonly Replacing[]): UndoStep[] {
  const files = Map.groupBy(replacings, replacedFileKey);
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

/** The action of a step, by the present content of the file. */
export type UndoVerdict =
  | { readonly kind: 'put-back'; readonly found: Hash }
  /** The file is already as it was before: only the job changes. */
  | { readonly kind: 'as-before' }
  | { readonly kind: 'leave'; readonly reason: string };

/** @param found hash of the present content, null: there is no file */
export function undoVerdict(step: UndoStep, found: Hash | null): UndoVerdict {
  if (found === (step.old?.hash ?? null)) return { kind: 'as-before' };
  if (step.isMixed) return { kind: 'leave', reason: 'somebody else wrote there during the run' };
  if (found === null || !step.ours.has(found)) {
    return { kind: 'leave', reason: found === null ? 'it is gone' : 'it was changed since' };
  }
  return { kind: 'put-back', found };
}
