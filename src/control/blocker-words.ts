/** Describes blockers, and what a person can do about them, in sentences. Pure. */
import { adviceFor, describeFailure, type Failure } from '../failure.ts';
import { adviceForHold, describeHold, type Hold, shellWords, shortList } from '../job.ts';
import { plural } from '../language.ts';
import { describeLimit } from './account.ts';
import {
  type Blocker,
  extentOf,
  gravityOf,
  type OfTerminology,
  type RouteName,
  type UnwrittenLanguage,
} from './blockers.ts';
import type { AttentionLine } from './report.ts';

/** Sentences for people. */
export interface BlockerDescription {
  readonly reason: string;
  readonly next_step: string;
}

export function describeBlocker(blocker: Blocker): BlockerDescription {
  return descriptionOf(blocker.kind, blocker);
}

type BlockerOfKind<Kind extends Blocker['kind']> = Extract<Blocker, { kind: Kind }>;

function descriptionOf<Kind extends Blocker['kind']>(
  kind: Kind,
  blocker: BlockerOfKind<Kind>,
): BlockerDescription {
  return DESCRIPTIONS[kind](blocker);
}

const DESCRIPTIONS: {
  readonly [Kind in Blocker['kind']]: (blocker: BlockerOfKind<Kind>) => BlockerDescription;
} = {
  'missing-place': (blocker) => missingPath(blocker),
  'unwritten-language': (blocker) => unwrittenLanguage(blocker),
  'lacking-language': (blocker) => ({
    reason: blocker.what,
    next_step: blocker.advice,
  }),
  contested: (blocker) => ({
    reason: blocker.reason,
    next_step: 'exclude it from one of the routes',
  }),
  'empty-route': (blocker) => ({
    reason: `${routeName(blocker.route)} matches no file yet`,
    next_step: 'put a source there, or correct "from" in dragoman.yaml',
  }),
  'empty-source': (blocker) => ({
    reason: `${blocker.path} is empty: it is not translated, and its targets stay as they are`,
    next_step: 'fill it, bring it back from git, or delete it',
  }),
  'left-out': ({ path, more, reason, why }) => ({
    reason: `${path}${more === 0 ? '' : ` and ${more} more`} left out: ${reason}`,
    next_step:
      why === 'no-lane'
        ? '"dragoman plan" names each of them'
        : 'put the file itself there, or exclude it from the route',
  }),
  'config-not-reloaded': ({ isRefused }) => ({
    reason: isRefused
      ? 'the config file is refused, and the daemon works with the config before'
      : 'the config file has changed, and the daemon works with the config before',
    next_step: isRefused
      ? 'correct the faults that the daemon logged ("dragoman check" finds them, too), and reload the daemon; a setting that cannot change while it runs needs a restart'
      : 'reload the daemon (SIGHUP, or "systemctl reload"), or restart it',
  }),
  offline: (blocker) => ({
    reason: `the root of the project cannot be used: ${blocker.reason}; nothing is deleted`,
    next_step: 'bring it back, or correct "root" in dragoman.yaml',
  }),
  unreadable: (blocker) => ({
    reason: blocker.reason,
    next_step:
      blocker.advice ?? 'let this user read it; a running daemon or the next run then continues',
  }),
  'not-followed': (blocker) => ({
    reason: blocker.reason,
    next_step:
      'make the folder of its translation writable; a running daemon or the next run then continues',
  }),
  collision: (blocker) => ({ reason: blocker.reason, next_step: 'rename one of them' }),
  incomplete: (blocker) => asHeld({ kind: 'incomplete', message: blocker.reason }, blocker.path),
  changing: (blocker) => ({
    reason: blocker.reason,
    next_step:
      'end the program that writes it, exclude the file from the route, or lower "settle_ms"; a running daemon or the next run then continues',
  }),
  'mass-deletion': (blocker) => asHeld(blocker, blocker.path),
  'disk-full': (blocker) => ({
    reason: `the disk of ${blocker.folder} is full: ${plural(blocker.jobs, 'job')} ${blocker.jobs === 1 ? 'waits' : 'wait'} for space`,
    next_step: 'free some space; the waiting jobs then continue',
  }),
  'terminology-refused': (blocker) => ({
    reason: `the ${nameOfTerminology(blocker)} is refused, and its last valid version stays in force: ${blocker.fault}`,
    next_step: 'correct the file; a running daemon or the next run then continues',
  }),
  'terminology-behind': (blocker) => ({
    reason: `the ${nameOfTerminology(blocker)} changed, and the service does not have the change${because(blocker.failure)}`,
    next_step:
      blocker.failure?.kind === 'unsupported' ? adviceFor(blocker.failure) : 'dragoman once',
  }),
  'terminology-unsent': (blocker) => ({
    reason: `the ${nameOfTerminology(blocker)} changed, and sync is off: texts are bought with what the service has`,
    next_step: 'a run without "--no-sync", "sync: off" and DRAGOMAN_SYNC=off sends the change',
  }),
  'styles-forbidden': (blocker) => ({
    reason: `this key may not use style lists, so nothing is translated into ${blocker.languages.join(', ')}: ${blocker.message}`,
    next_step: 'take "style" out of dragoman.yaml, or use the key of a plan that has them',
  }),
  'git-busy': ({ operation }) =>
    operation === 'index update'
      ? {
          reason: 'git writes its index (.git/index.lock): nothing is bought until that is over',
          next_step:
            'if no git is running, a git that was killed left the file: delete it; dragoman then continues',
        }
      : {
          reason: `git has a ${operation} under way: nothing is bought until it is over`,
          next_step: 'finish it, or abort it; dragoman then continues',
        },
  'git-unfinished': (blocker) => ({
    reason: `git has a ${blocker.operation} under way: sources, translations and the lock may be of different branches`,
    next_step: 'finish it, or abort it, and run this again',
  }),
  'lock-lost': (blocker) => ({
    reason: `the lock lacks ${shortList(blocker.files)}: its last commit and the state of this machine are used instead`,
    next_step: `"git checkout HEAD -- ${shellWords(...blocker.files.slice(0, 3))}" brings ${blocker.files.length > 3 ? 'three of them' : 'it'} back; else the next run over everything writes it again`,
  }),
  'lock-damaged': ({ failure }) => ({
    reason: describeFailure(failure),
    next_step:
      'repair the lock first: commands that need it end with 78, and a new run does not start',
  }),
  'lock-behind': (blocker) => ({
    reason: `${whatLockLacks(blocker)}: ${whyLockLacks(blocker)}`,
    next_step:
      'make sure that the lock can be written; the next "dragoman once" or a running daemon writes it',
  }),
  'state-new': () => ({
    reason:
      'this checkout has no state yet, or lost it: the lock and the history of git decide which translations are up to date',
    next_step:
      'a fresh checkout needs nothing; if the state was lost, restore it from a backup: without it, answers that were paid for but not written are bought again',
  }),
  'state-damaged': (blocker) => ({
    reason: blocker.message,
    next_step: blocker.advice,
  }),
  'paid-work-stopped': ({ failure }) => ({
    reason: `the last run was stopped: ${describeFailure(failure)}`,
    next_step: adviceFor(failure),
  }),
  'limit-near': (blocker) => ({
    reason: describeLimit(blocker),
    next_step: 'raise the limit, or wait for the next billing period: at 100 % paid work stops',
  }),
};

type LockBehind = Extract<Blocker, { kind: 'lock-behind' }>;

function whatLockLacks({ jobs, failure }: LockBehind): string {
  if (jobs > 0) return `the lock does not have the lines of ${plural(jobs, 'translated file')}`;
  return failure === undefined ? 'the lock is not up to date' : 'the lock could not be written';
}

function whyLockLacks({ jobs, failure, why }: LockBehind): string {
  if (failure !== undefined) return describeFailure(failure);
  if (why === 'unwritten') return 'it was not written yet, or it was removed';
  if (why === 'put-back')
    return 'it was put back to an earlier version, or not committed with them';
  return jobs > 0
    ? 'an earlier run ended before it wrote them, or the leader of the tree has yet to do so'
    : 'an earlier run ended before it removed lines of deleted sources, or wrote the versions of glossaries; in a tree, its leader has yet to do so';
}

function missingPath(blocker: Extract<Blocker, { kind: 'missing-place' }>): BlockerDescription {
  const { route, what, path, instead, nearest, embedded, part, more = 0 } = blocker;
  const finds = `${part === undefined ? '' : 'a part of '}${routeName(route)} finds nothing`;
  if (instead !== undefined) {
    return {
      reason: `${finds}: ${instead}`,
      next_step: `put the ${what} ${path} itself there, or correct "from" in dragoman.yaml`,
    };
  }
  if (embedded) {
    return {
      reason: `${routeName(route)} has no ${what} ${path}, and with embedded_source each language needs its own`,
      next_step:
        'make it with msginit (gettext) or lupdate (Qt), or take its language out of "targets" in dragoman.yaml',
    };
  }
  const there = nearest === undefined ? '' : `, but there is ${nearest}`;
  const others = more === 0 ? '' : ` (and ${more} more)`;
  return {
    reason: `${finds}: there is no ${what} ${path}${others}${there}`,
    next_step: `correct "from" in dragoman.yaml, or make the ${what}`,
  };
}

function unwrittenLanguage({ source, languages, lanes }: UnwrittenLanguage): BlockerDescription {
  const codes = languages.join(', ');
  return lanes === 'all'
    ? {
        reason: `nothing is written for ${codes}: translation does not convert variants of ${source}, and text improvement does not know ${languages.length === 1 ? 'this one' : 'these'}`,
        next_step: `take ${codes} out of "targets" in dragoman.yaml`,
      }
    : {
        reason: `no documents and recordings are written for ${codes}: only texts are converted into a variant of ${source}`,
        next_step: `move these routes to a project without ${codes}; html and txt files can use "lane: text" instead`,
      };
}

function routeName({ index, from }: RouteName): string {
  return `route ${index + 1} (${from})`;
}

function nameOfTerminology({ what, file }: OfTerminology): string {
  return what === 'glossary' ? `glossary file ${file}` : `style file ${file}`;
}

function because(failure: Failure | undefined): string {
  return failure === undefined ? '' : `: ${describeFailure(failure)}`;
}

function asHeld(hold: Hold, path: string): BlockerDescription {
  return { reason: describeHold(hold), next_step: adviceForHold(hold, shellWords(path)) };
}

/** Blockers that need a person, as all outputs show them. */
export function linesOfBlockers(blockers: readonly Blocker[]): AttentionLine[] {
  return blockers.flatMap((blocker) => {
    const gravity = gravityOf(blocker);
    return gravity === 'note' ? [] : [attentionLineOf(blocker, gravity)];
  });
}

export function attentionLineOf(blocker: Blocker, state: AttentionLine['state']): AttentionLine {
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

/** Blockers that are only notes and change no exit code. */
export function notesOfBlockers(blockers: readonly Blocker[]): string[] {
  return blockers.flatMap((blocker) => {
    if (gravityOf(blocker) !== 'note') return [];
    const { reason, next_step } = describeBlocker(blocker);
    const project = extentOf(blocker).projects[0];
    return [`${project === undefined ? '' : `${project}: `}${reason}; ${next_step}`];
  });
}
