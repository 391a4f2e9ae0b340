/**
 * Every reason, beside the jobs that wait or failed, why something that config asks for is not there. All outputs
 * (`once`, `once --frozen`, `status`, `check`, `plan`, the page, JSON) show what is listed here. Pure.
 */
import { join } from 'node:path';
import type { LackingLanguage } from '../config/language-checks.ts';
import type { Failure } from '../failure.ts';
import type { GitOperation } from '../files/work-tree.ts';
import type { LockArrears } from '../jobs/lock-keeper.ts';
import type { DescribedDamage } from '../state/damage.ts';
import type { LimitStatus } from './account.ts';
import type { Scope } from './control.ts';
import { inPaths, isNamed } from './scope.ts';
import { isAnyTouched } from './since.ts';

/** Paths are relative to the project's root. */
export type Blocker =
  // the config
  /** A path in `from` of a route does not exist, or is not of the kind that the route needs. */
  | ({
      readonly kind: 'missing-place';
      readonly route: RouteName;
      readonly what: 'file' | 'folder';
      readonly path: string;
      /** What stands there, in words. */
      readonly instead?: string;
      /** An existing path with nearly the same name. */
      readonly nearest?: string;
      /** Each target of the route is its own source: dragoman does not create it. */
      readonly embedded?: true;
      /** Other alternatives of the pattern exist. `optional`: the files that a person lists need not all be there. */
      readonly part?: 'misspelled' | 'optional';
      /** Number of other optional files that are missing. */
      readonly more?: number;
    } & ProjectBlocker)
  | ({ readonly kind: 'unwritten-language' } & UnwrittenLanguage & ProjectBlocker)
  /** The service lacks something for this language, and has it for other languages of the project. */
  | ({ readonly kind: 'lacking-language' } & LackingLanguage & ProjectBlocker)
  | ({ readonly kind: 'contested' } & BlockedPath & ProjectBlocker)
  /** The folder of the route exists, but no file in it matches. */
  | ({ readonly kind: 'empty-route'; readonly route: RouteName } & ProjectBlocker)
  /** The config file of a daemon differs from the config in force. `isRefused`: a reload was tried. */
  | { readonly kind: 'config-not-reloaded'; readonly isRefused: boolean }
  // the disk
  | ({ readonly kind: 'offline'; readonly reason: string } & ProjectBlocker)
  /** The system does not let us read it. With an advice: the name of the file is the reason. */
  | ({ readonly kind: 'unreadable'; readonly advice?: string } & BlockedPath & ProjectBlocker)
  /** The source moved or is gone, and a translation of it can be neither moved nor removed. */
  | ({ readonly kind: 'not-followed' } & BlockedPath & ProjectBlocker)
  | ({ readonly kind: 'incomplete' } & BlockedPath & ProjectBlocker)
  /** A program writes the file again and again: it has not been unchanged for `settle_ms`. */
  | ({ readonly kind: 'changing' } & BlockedPath & ProjectBlocker)
  /** A source with no bytes: a new one waits for its content, an old one may have lost it. */
  | ({ readonly kind: 'empty-source'; readonly path: string } & ProjectBlocker)
  /**
   * Where a route looks for sources, there is a link, another thing that is not a file, or a file that no lane accepts. `more`: number
   * of others with the same reason.
   */
  | ({
      readonly kind: 'left-out';
      readonly why: 'no-file' | 'no-lane';
      readonly more: number;
    } & BlockedPath &
      ProjectBlocker)
  | ({
      readonly kind: 'collision';
      readonly source: string;
      readonly target: string;
      readonly reason: string;
    } & ProjectBlocker)
  | ({
      readonly kind: 'mass-deletion';
      /** The first of the vanished sources. */
      readonly path: string;
      readonly files: number;
      readonly of: number;
    } & ProjectBlocker)
  /** A disk is full: jobs that write into `folder` wait for free space. */
  | ({
      readonly kind: 'disk-full';
      /** The folder, as the system names it. */
      readonly folder: string;
      readonly jobs: number;
    } & ProjectBlocker)
  // glossaries and style lists
  | ({ readonly kind: 'terminology-refused'; readonly fault: string } & OfTerminology)
  /** The file changed, and the service does not have the change yet. `failure`: if the update was tried. */
  | ({ readonly kind: 'terminology-behind'; readonly failure?: Failure } & OfTerminology)
  /** The file changed, and with `sync: off` the service does not get the change from here. */
  | ({ readonly kind: 'terminology-unsent' } & OfTerminology)
  /** The service does not let this key use style lists: free plans have none. */
  | {
      readonly kind: 'styles-forbidden';
      readonly message: string;
      readonly projects: readonly string[];
      readonly languages: readonly string[];
    }
  // the state
  | ({ readonly kind: 'state-damaged' } & DescribedDamage)
  /** A daemon waits until the operation of git is over. */
  | { readonly kind: 'git-busy'; readonly operation: GitOperation }
  /** A command other than a daemon does not wait for the operation. */
  | { readonly kind: 'git-unfinished'; readonly operation: GitOperation }
  /** Files of the lock that are missing, although git or an earlier run had them. */
  | { readonly kind: 'lock-lost'; readonly files: readonly string[] }
  /** The lock changed while a daemon works, and cannot be read now. */
  | { readonly kind: 'lock-damaged'; readonly failure: Failure }
  /** Translations are in place, and the lock does not have their lines. */
  | ({ readonly kind: 'lock-behind' } & LockArrears)
  /** There is a lock, but this machine has no state yet. */
  | { readonly kind: 'state-new' }
  // the account
  /** An error stopped the last run, and nothing is running now. */
  | { readonly kind: 'paid-work-stopped'; readonly failure: Failure }
  /** At least 80 % of the limit is used. */
  | ({ readonly kind: 'limit-near' } & LimitStatus);

interface ProjectBlocker {
  readonly project: string;
}

interface BlockedPath {
  readonly path: string;
  readonly reason: string;
}

/** `from` of a route, and its index in the project's list. */
export interface RouteName {
  readonly index: number;
  readonly from: string;
}

export interface OfTerminology {
  readonly what: 'glossary' | 'style';
  /** Relative to the config's folder. */
  readonly file: string;
  readonly projects: readonly string[];
}

export interface UnwrittenLanguage {
  /** The code of the source language. */
  readonly source: string;
  /** Target languages that are variants of the source language. */
  readonly languages: readonly string[];
  /** Whether only documents and recordings are concerned, or also texts. */
  readonly lanes: 'documents' | 'all';
}

/** `failed`: a run ends with exit code 1; `held`: with 2; `note`: no effect on the exit code. */
export type Gravity = 'failed' | 'held' | 'note';

export function gravityOf(blocker: Blocker): Gravity {
  switch (blocker.kind) {
    case 'missing-place':
      return blocker.part === 'optional' ? 'note' : 'failed';
    case 'unwritten-language':
    case 'lacking-language':
    case 'contested':
    case 'offline':
    case 'unreadable':
    case 'not-followed':
    case 'terminology-refused':
    case 'terminology-behind':
    case 'styles-forbidden':
    case 'lock-behind':
    case 'lock-damaged':
      return 'failed';
    case 'collision':
    case 'incomplete':
    case 'changing':
    case 'mass-deletion':
    case 'disk-full':
    case 'git-busy':
    case 'config-not-reloaded':
      return 'held';
    case 'empty-route':
    case 'empty-source':
    case 'left-out':
    case 'git-unfinished':
    case 'lock-lost':
    case 'terminology-unsent':
    case 'state-new':
    case 'state-damaged':
    case 'paid-work-stopped':
    case 'limit-near':
      return 'note';
  }
}

/** Whether the next run does what the blocker asks for, as far as is known. A plan lists that as work of the run, and not as a failure. */
export function isWorkOfRun(blocker: Blocker): boolean {
  return blocker.kind === 'terminology-behind' && blocker.failure === undefined;
}

/** The projects, files and languages that a blocker concerns; an empty list means all. */
interface BlockerExtent {
  readonly projects: readonly string[];
  readonly files: readonly string[];
  readonly languages: readonly string[];
}

export function extentOf(blocker: Blocker): BlockerExtent {
  const nothing = { files: [], languages: [] };
  if ('path' in blocker) {
    return { projects: [blocker.project], files: [blocker.path], languages: [] };
  }
  switch (blocker.kind) {
    case 'collision': {
      const { project, source, target } = blocker;
      return { projects: [project], files: [source, target], languages: [] };
    }
    case 'lacking-language':
      return { projects: [blocker.project], files: [], languages: [blocker.language] };
    case 'unwritten-language':
      return { projects: [blocker.project], files: [], languages: blocker.languages };
    case 'empty-route':
    case 'offline':
    case 'disk-full':
      return { projects: [blocker.project], ...nothing };
    case 'terminology-refused':
    case 'terminology-behind':
    case 'terminology-unsent':
      return { projects: blocker.projects, ...nothing };
    case 'styles-forbidden':
      return { projects: blocker.projects, files: [], languages: blocker.languages };
    case 'config-not-reloaded':
    case 'git-busy':
    case 'git-unfinished':
    case 'lock-lost':
    case 'lock-behind':
    case 'lock-damaged':
    case 'state-new':
    case 'state-damaged':
    case 'paid-work-stopped':
    case 'limit-near':
      return { projects: [], ...nothing };
  }
}

/** The blockers that concern a command. @param rootOf absolute root of a project */
export function blockersIn(
  { projects, languages, paths, since }: Scope,
  blockers: readonly Blocker[],
  rootOf: (project: string) => string | undefined,
): Blocker[] {
  return blockers.filter((blocker) => {
    const extent = extentOf(blocker);
    // A command for a branch does not report it: the branch did not cause it.
    if (blocker.kind === 'state-new') return since === undefined;
    if (extent.projects.length === 0) return true;
    if (!isAnyTouched(since, extent, rootOf)) return false;
    const named = extent.languages.length === 0 ? [''] : extent.languages;
    const asked = { projects, languages: extent.languages.length === 0 ? [] : languages };
    return extent.projects.some(
      (project) =>
        named.some((language) => isNamed(asked, project, language)) &&
        // Vanished files are confirmed together, so the whole group is reported.
        (blocker.kind === 'mass-deletion' || isOnTheWay(paths, rootOf(project), extent.files)),
    );
  });
}

/** Whether a file is inside one of the paths, or a folder is inside or above one of them. */
function isOnTheWay(
  paths: Scope['paths'],
  root: string | undefined,
  files: readonly string[],
): boolean {
  if (files.length === 0 || inPaths(paths, root, files)) return true;
  return paths.some((path) => files.some((file) => path.startsWith(`${join(root ?? '', file)}/`)));
}
