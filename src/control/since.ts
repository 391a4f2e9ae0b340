/** Work of a checkout that was not open at an earlier commit: only the new work, in files that changed since that commit. Pure. */
import { join } from 'node:path';
import { type Job, targetList } from '../job.ts';
import type { Estimate, OpenCounts, OpenUnit, TextCounts } from '../lane.ts';

/** Plain JSON, since a daemon may be asked for it. */
export interface Since {
  /** Absolute paths of files that were changed, deleted or added since the commit. */
  readonly files: readonly string[];
  /** Languages whose config, terms, style or lock changed: all their files count as changed. */
  readonly languages: readonly { readonly project: string; readonly language: string }[];
  /** The open work at the commit. */
  readonly before: OpenWork;
}

export interface OpenWork {
  /** Names of the texts that were to be bought then: they are not part of the price. */
  readonly counted: readonly string[];
  /** By job id: its open texts; empty for a file that is translated whole. */
  readonly jobs: Readonly<Record<string, readonly string[]>>;
  /** Files whose open texts are unknown: all of their texts count as new. */
  readonly unread: readonly UnreadFile[];
}

export interface UnreadFile {
  readonly project: string;
  /** Relative to the root of the project. */
  readonly path: string;
  readonly reason: string;
}

export const NO_WORK: OpenWork = { counted: [], jobs: {}, unread: [] };

type Touching = Pick<Job, 'project' | 'language' | 'source' | 'targets'>;

/** @param root absolute root of the job's project */
export function isTouched(
  since: Since | undefined,
  job: Touching,
  root: string | undefined,
): boolean {
  if (since === undefined) return true;
  const { files, languages } = sinceIndex(since);
  if (languages.has(`${job.project}\n${job.language}`)) return true;
  if (root === undefined) return false;
  return [job.source, ...targetList(job.targets)].some((path) => files.has(plain(root, path)));
}

/** @param path relative to the root */
export function isChanged(since: Since, root: string, path: string): boolean {
  return sinceIndex(since).files.has(plain(root, path));
}

/** Whether a change concerns these files of a project, or the whole project. @param files relative to the root */
export function isAnyTouched(
  since: Since | undefined,
  { projects, files }: { readonly projects: readonly string[]; readonly files: readonly string[] },
  rootOf: (project: string) => string | undefined,
): boolean {
  if (since === undefined) return true;
  if (since.languages.some(({ project }) => projects.includes(project))) return true;
  return projects.some((project) => {
    const root = rootOf(project);
    const named = root === undefined ? [] : files.map((path) => plain(root, path));
    return since.files.some((changed) => named.some((path) => isBelow(changed, path)));
  });
}

function isBelow(changed: string, path: string): boolean {
  const file = changed.normalize('NFC');
  return file === path || file.startsWith(`${path}/`);
}

/** Git and the disk may use two Unicode forms of one name. */
function plain(root: string, path: string): string {
  return join(root, path).normalize('NFC');
}

interface SinceIndex {
  readonly files: ReadonlySet<string>;
  readonly languages: ReadonlySet<string>;
}

const indexes = new WeakMap<Since, SinceIndex>();

function sinceIndex(since: Since): SinceIndex {
  const index = indexes.get(since) ?? {
    files: new Set(since.files.map((path) => path.normalize('NFC'))),
    languages: new Set(since.languages.map(({ project, language }) => `${project}\n${language}`)),
  };
  indexes.set(since, index);
  return index;
}

export type NewWork =
  | { readonly kind: 'none' }
  /** `texts`: without those that were open before. */
  | { readonly kind: 'new'; readonly texts?: TextCounts; readonly states?: OpenCounts };

/** @param isSourceChanged since the commit */
export function newWork(
  { before }: Pick<Since, 'before'>,
  {
    job,
    open,
    texts,
    states,
    isUpToDate,
  }: Pick<Estimate, 'job' | 'open' | 'texts' | 'states' | 'isUpToDate'>,
  isSourceChanged: boolean,
): NewWork {
  const isEdited = (states?.edited ?? 0) > 0;
  if (isUpToDate === true && !isEdited) return { kind: 'none' };
  const earlier = before.jobs[job.id];
  if (open === undefined || open.length === 0) {
    return earlier !== undefined && !isSourceChanged ? { kind: 'none' } : { kind: 'new' };
  }
  const known = new Set(earlier);
  const added = open.filter(({ unit }) => !known.has(unit));
  if (added.length === 0) return { kind: 'none' };
  const count = (becomes: string) => added.filter((each) => each.becomes === becomes).length;
  const { adopted = 0, bought = 0, fromMemory = 0 } = texts ?? {};
  const buys = count('bought');
  // Which texts the memory has is known only when nothing has to be bought.
  const isFree = bought === 0 && fromMemory > 0;
  return {
    kind: 'new',
    texts: {
      adopted,
      bought: isFree ? 0 : buys,
      fromMemory: isFree ? buys : 0,
      held: count('held'),
      conflicts: count('conflicts'),
    },
    states: countStates(added, states),
  };
}

/** A person's edit counts as new until it is in the lock. */
function countStates(added: readonly OpenUnit[], { edited }: OpenCounts = {}): OpenCounts {
  const groups = Map.groupBy(added, ({ is }) => is);
  const counts = Object.fromEntries([...groups].map(([is, units]) => [is, units.length]));
  return edited === undefined ? counts : { ...counts, edited };
}
