/**
 * Every reason, beside the jobs that wait or failed, why something that config asks for is not there. All outputs
 * (`once`, `once --frozen`, `status`, `check`, `plan`, the page, JSON) show what is listed here. Pure.
 */
import { join } from 'node:path';
import { describeFailure, type Failure } from '../failure.ts';
import type { GitOperation } from '../files/work-tree.ts';
import { adviceForHold, describeHold, type Hold, shorten } from '../job.ts';
import { plural } from '../language.ts';
import { describeLimit, type LimitStanding } from './account.ts';
import type { Scope } from './control.ts';
import type { AttentionLine } from './report.ts';
import { inPaths, isNamed } from './scope.ts';
import { isAnyTouched } from './since.ts';

/** Paths are relative to the project's root. */
export type Blocker =
  // the config
  /** What a route spells out of its paths is not there. */
  | ({
      readonly kind: 'missing-place';
      readonly route: RouteName;
      readonly what: 'file' | 'folder';
      readonly path: string;
      /** A path that is there and has nearly the same name. */
      readonly nearest?: string;
      /** Each target of the route is its own source: dragoman does not make it. */
      readonly embedded?: true;
    } & OfProject)
  | ({ readonly kind: 'unwritten-language' } & UnwrittenLanguage & OfProject)
  /** The service has other languages of the project, and not this one. */
  | ({
      readonly kind: 'lacking-language';
      readonly language: string;
      readonly what: string;
    } & OfProject)
  | ({ readonly kind: 'contested' } & BlockedPath & OfProject)
  /** Its folder is there, and nothing in it matches. */
  | ({ readonly kind: 'empty-route'; readonly route: RouteName } & OfProject)
  // the disk
  | ({ readonly kind: 'offline'; readonly reason: string } & OfProject)
  /** The system refuses it to us; with an advice, its name is what keeps it from being taken. */
  | ({ readonly kind: 'unreadable'; readonly advice?: string } & BlockedPath & OfProject)
  | ({ readonly kind: 'incomplete' } & BlockedPath & OfProject)
  /** A source without a byte: a new one waits for its texts, an old one may have lost them. */
  | ({ readonly kind: 'empty-source'; readonly path: string } & OfProject)
  | ({
      readonly kind: 'collision';
      readonly source: string;
      readonly target: string;
      readonly reason: string;
    } & OfProject)
  | ({
      readonly kind: 'mass-deletion';
      /** The first of those that vanished. */
      readonly path: string;
      readonly files: number;
      readonly of: number;
    } & OfProject)
  /** Jobs wait for room where they write. */
  | ({
      readonly kind: 'disk-full';
      /** As the system names it. */
      readonly folder: string;
      readonly jobs: number;
    } & OfProject)
  // glossaries and style lists
  | ({ readonly kind: 'terminology-refused'; readonly fault: string } & OfTerminology)
  /** The file changed, and the service does not have the change; the failure when it was tried. */
  | ({ readonly kind: 'terminology-behind'; readonly failure?: Failure } & OfTerminology)
  /** The service does not let this key use them: free plans have none. */
  | {
      readonly kind: 'styles-forbidden';
      readonly message: string;
      readonly projects: readonly string[];
      readonly languages: readonly string[];
    }
  // the state
  | { readonly kind: 'state-damaged'; readonly message: string }
  /** A daemon waits until git is done. */
  | { readonly kind: 'git-busy'; readonly operation: GitOperation }
  /** A command that is no daemon goes on meanwhile. */
  | { readonly kind: 'git-unfinished'; readonly operation: GitOperation }
  /** Files of the lock that git or an earlier run had. */
  | { readonly kind: 'lock-lost'; readonly files: readonly string[] }
  /** There is a lock, and nothing that this machine knows itself. */
  | { readonly kind: 'state-new' }
  // the account
  /** 80 % or more of it are used. */
  | ({ readonly kind: 'limit-near' } & LimitStanding);

interface OfProject {
  readonly project: string;
}

interface BlockedPath {
  readonly path: string;
  readonly reason: string;
}

/** `from` of a route, and its place in the project's list. */
interface RouteName {
  readonly index: number;
  readonly from: string;
}

interface OfTerminology {
  readonly what: 'glossary' | 'style';
  /** Relative to the config's folder. */
  readonly file: string;
  readonly projects: readonly string[];
}

export interface UnwrittenLanguage {
  /** Of the source language. */
  readonly source: string;
  /** Variants of it. */
  readonly languages: readonly string[];
  /** Documents and recordings only, or texts as well. */
  readonly lanes: 'documents' | 'all';
}

/** `failed` ends a run with 1, `held` with 2; a note changes no exit code. */
export type Gravity = 'failed' | 'held' | 'note';

export function gravityOf({ kind }: Blocker): Gravity {
  switch (kind) {
    case 'missing-place':
    case 'unwritten-language':
    case 'lacking-language':
    case 'contested':
    case 'offline':
    case 'unreadable':
    case 'terminology-refused':
    case 'terminology-behind':
    case 'styles-forbidden':
      return 'failed';
    case 'collision':
    case 'incomplete':
    case 'mass-deletion':
    case 'disk-full':
    case 'git-busy':
      return 'held';
    case 'empty-route':
    case 'empty-source':
    case 'git-unfinished':
    case 'lock-lost':
    case 'state-new':
    case 'state-damaged':
    case 'limit-near':
      return 'note';
  }
}

/** In words for people. */
export interface Told {
  readonly reason: string;
  readonly next_step: string;
}

export function describeBlocker(blocker: Blocker): Told {
  switch (blocker.kind) {
    case 'missing-place':
      return missingPlace(blocker);
    case 'unwritten-language':
      return unwrittenLanguage(blocker);
    case 'lacking-language':
      return {
        reason: blocker.what,
        next_step: `take ${blocker.language} out of "targets" in dragoman.yaml; "dragoman check --online" asks the service again`,
      };
    case 'contested':
      return { reason: blocker.reason, next_step: 'exclude it from one of the routes' };
    case 'empty-route':
      return {
        reason: `${routeName(blocker.route)} matches no file yet`,
        next_step: 'put a source there, or correct "from" in dragoman.yaml',
      };
    case 'empty-source':
      return {
        reason: `${blocker.path} is empty: nothing of it is translated, and its targets stay as they are`,
        next_step: 'fill it, bring it back from git, or delete it',
      };
    case 'offline':
      return {
        reason: `the root of the project cannot be used: ${blocker.reason}; nothing is deleted`,
        next_step: 'bring it back, or correct "root" in dragoman.yaml',
      };
    case 'unreadable':
      return {
        reason: blocker.reason,
        next_step: blocker.advice ?? 'let this user read it; it is picked up by itself',
      };
    case 'collision':
      return { reason: blocker.reason, next_step: 'rename one of them' };
    case 'incomplete':
      return asHeld({ kind: 'incomplete', message: blocker.reason }, blocker.path);
    case 'mass-deletion':
      return asHeld(blocker, blocker.path);
    case 'disk-full':
      return {
        reason: `the disk of ${blocker.folder} is full: ${plural(blocker.jobs, 'job')} ${blocker.jobs === 1 ? 'waits' : 'wait'} for room`,
        next_step: 'free some space; work goes on by itself',
      };
    case 'terminology-refused':
      return {
        reason: `the ${nameOfRules(blocker)} is refused, and what it was stays in force: ${blocker.fault}`,
        next_step: 'correct the file; it is picked up by itself',
      };
    case 'terminology-behind':
      return {
        reason: `the ${nameOfRules(blocker)} changed, and the service does not have the change${because(blocker.failure)}`,
        next_step: 'dragoman once',
      };
    case 'styles-forbidden':
      return {
        reason: `this key may not use style lists, so nothing is translated into ${blocker.languages.join(', ')}: ${blocker.message}`,
        next_step: 'take "style" out of dragoman.yaml, or use the key of a plan that has them',
      };
    case 'git-busy':
      return {
        reason: `git has a ${blocker.operation} under way: nothing is bought until it is over`,
        next_step: 'finish it, or abort it; work goes on by itself',
      };
    case 'git-unfinished':
      return {
        reason: `git has a ${blocker.operation} under way: sources, translations and the lock may be of different branches`,
        next_step: 'finish it, or abort it, and run this again',
      };
    case 'lock-lost':
      return {
        reason: `the lock lacks ${shorten(blocker.files)}: what it said is taken from the last commit, and from the state of this machine`,
        next_step:
          '"git checkout HEAD -- dragoman.lock" brings it back; else the next run over everything writes it again',
      };
    case 'state-new':
      return {
        reason:
          'this checkout has no state yet, or lost it: what stands is told by the lock and the history of git',
        next_step:
          'a fresh checkout needs nothing; restore a state that was lost from a backup: without it, answers that were paid for and not written are bought again',
      };
    case 'state-damaged':
      return {
        reason: blocker.message,
        next_step: 'what was billed before may be missing in "dragoman usage"',
      };
    case 'limit-near':
      return {
        reason: describeLimit(blocker),
        next_step: 'raise the limit, or wait for the next billing period: at 100 % paid work stops',
      };
  }
}

function missingPlace({
  route,
  what,
  path,
  nearest,
  embedded,
}: Extract<Blocker, { route: RouteName; path: string }>): Told {
  if (embedded) {
    return {
      reason: `${routeName(route)} has no ${what} ${path}, and with embedded_source each language needs its own`,
      next_step:
        'make it with msginit (gettext) or lupdate (Qt), or take its language out of "targets" in dragoman.yaml',
    };
  }
  const there = nearest === undefined ? '' : `, but there is ${nearest}`;
  return {
    reason: `${routeName(route)} finds nothing: there is no ${what} ${path}${there}`,
    next_step: `correct "from" in dragoman.yaml, or make the ${what}`,
  };
}

function unwrittenLanguage({ source, languages, lanes }: UnwrittenLanguage): Told {
  const codes = languages.join(', ');
  return lanes === 'all'
    ? {
        reason: `nothing is written for ${codes}: translation does not convert variants of ${source}, and text improvement does not know ${languages.length === 1 ? 'this one' : 'these'}`,
        next_step: `take ${codes} out of "targets" in dragoman.yaml`,
      }
    : {
        reason: `of documents and recordings nothing is written for ${codes}: only texts are converted into a variant of ${source}`,
        next_step: `give these routes a project without ${codes}; for html and txt, "lane: text" is a way`,
      };
}

function routeName({ index, from }: RouteName): string {
  return `route ${index + 1} (${from})`;
}

function nameOfRules({ what, file }: OfTerminology): string {
  return what === 'glossary' ? `glossary file ${file}` : `style file ${file}`;
}

function because(failure: Failure | undefined): string {
  return failure === undefined ? '' : `: ${describeFailure(failure)}`;
}

function asHeld(hold: Hold, path: string): Told {
  return { reason: describeHold(hold), next_step: adviceForHold(hold, path) };
}

/** Those that need a person, as all outputs show them. */
export function linesOfBlockers(blockers: readonly Blocker[]): AttentionLine[] {
  return blockers.flatMap((blocker) => {
    const gravity = gravityOf(blocker);
    return gravity === 'note' ? [] : [lineOf(blocker, gravity)];
  });
}

export function lineOf(blocker: Blocker, state: AttentionLine['state']): AttentionLine {
  const { projects, files, languages } = extentOf(blocker);
  const [source = '*', target = source] = files;
  return {
    project: projects[0] ?? '*',
    source,
    target,
    language: languages.length === 0 ? '*' : languages.join(' '),
    state,
    code: blocker.kind,
    ...describeBlocker(blocker),
    price_characters: null,
  };
}

/** What is worth knowing and changes no exit code. */
export function notesOfBlockers(blockers: readonly Blocker[]): string[] {
  return blockers.flatMap((blocker) => {
    if (gravityOf(blocker) !== 'note') return [];
    const { reason, next_step } = describeBlocker(blocker);
    const project = extentOf(blocker).projects[0];
    return [`${project === undefined ? '' : `${project}: `}${reason}; ${next_step}`];
  });
}

/** What a blocker is about; an empty list means all. */
interface Extent {
  readonly projects: readonly string[];
  readonly files: readonly string[];
  readonly languages: readonly string[];
}

function extentOf(blocker: Blocker): Extent {
  const nothing = { files: [], languages: [] };
  switch (blocker.kind) {
    case 'collision': {
      const { project, source, target } = blocker;
      return { projects: [project], files: [source, target], languages: [] };
    }
    case 'missing-place':
    case 'contested':
    case 'unreadable':
    case 'incomplete':
    case 'empty-source':
    case 'mass-deletion':
      return { projects: [blocker.project], files: [blocker.path], languages: [] };
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
      return { projects: blocker.projects, ...nothing };
    case 'styles-forbidden':
      return { projects: blocker.projects, files: [], languages: blocker.languages };
    case 'git-busy':
    case 'git-unfinished':
    case 'lock-lost':
    case 'state-new':
    case 'state-damaged':
    case 'limit-near':
      return { projects: [], ...nothing };
  }
}

/** Those that a command is about. @param rootOf absolute root of a project */
export function blockersIn(
  { projects, languages, paths, since }: Scope,
  blockers: readonly Blocker[],
  rootOf: (project: string) => string | undefined,
): Blocker[] {
  return blockers.filter((blocker) => {
    const extent = extentOf(blocker);
    // Of a branch, it is nothing that it adds.
    if (blocker.kind === 'state-new') return since === undefined;
    if (extent.projects.length === 0) return true;
    if (!isAnyTouched(since, extent, rootOf)) return false;
    const named = extent.languages.length === 0 ? [''] : extent.languages;
    const asked = { projects, languages: extent.languages.length === 0 ? [] : languages };
    return extent.projects.some(
      (project) =>
        named.some((language) => isNamed(asked, project, language)) &&
        // Files that vanished together are confirmed together.
        (blocker.kind === 'mass-deletion' || isOnTheWay(paths, rootOf(project), extent.files)),
    );
  });
}

/** Whether a file lies in one of the paths, or a folder is one of theirs or above them. */
function isOnTheWay(
  paths: Scope['paths'],
  root: string | undefined,
  files: readonly string[],
): boolean {
  if (files.length === 0 || inPaths(paths, root, files)) return true;
  return paths.some((path) => files.some((file) => path.startsWith(`${join(root ?? '', file)}/`)));
}
