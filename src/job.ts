/** A job: one source, one target language, one fingerprint. Its states, and the reasons why it may wait for a person. */

import type { Failure } from './failure.ts';
import type { LanguageTag } from './language.ts';
import { inEnglish, plural } from './language.ts';

/** How a source is processed. */
export const LANES = ['document', 'text', 'subtitle', 'voice'] as const;
export type Lane = (typeof LANES)[number];

/** sha256, lower-case hex. */
export type Hash = string & { readonly __brand: 'Hash' };
/** The hash of an empty file. */
export const NO_CONTENT =
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' as Hash;
/** Source hash and recipe: a delivered job with an equal fingerprint has nothing to buy. */
export type Fingerprint = string & { readonly __brand: 'Fingerprint' };
/** Hash of a recipe: the settings that decide a translation, without the versions whose change buys nothing again. */
export type RecipeKey = string & { readonly __brand: 'RecipeKey' };
/** `project/source path`; the path is relative to the project's root, `/`-separated, NFC. */
export type SourceId = string & { readonly __brand: 'SourceId' };
/** `project/language/source path`: it stays the same when the source changes. */
export type JobId = string & { readonly __brand: 'JobId' };
/** `size:mtimeNs:ctimeNs:inode` of a file. An equal stat saves a read of the file; it is not proof that the content is equal. */
export type Stat = string & { readonly __brand: 'Stat' };

export function sourceId(project: string, path: string): SourceId {
  return `${project}/${path}` as SourceId;
}

export function jobId(project: string, language: LanguageTag, path: string): JobId {
  return `${project}/${language}/${path}` as JobId;
}

/** The files that a job writes, relative to the project's root. All lanes but voice write one file. */
export type TargetPaths =
  | { readonly file: string }
  | { readonly transcript?: string; readonly subtitles?: string; readonly speech?: string };

/** The target paths as a list, in a stable order. */
export function targetList(targets: TargetPaths): string[] {
  if ('file' in targets) return [targets.file];
  return [targets.transcript, targets.subtitles, targets.speech].filter(
    (path) => path !== undefined,
  );
}

export interface Job {
  readonly id: JobId;
  readonly project: string;
  readonly lane: Lane;
  /** Path of the source, relative to the project's root. */
  readonly source: string;
  readonly language: LanguageTag;
  readonly targets: TargetPaths;
  readonly fingerprint: Fingerprint;
}

/**
 * The last step of a running job, durable before the next side effect. Paid results have records of their own, which outlive the
 * job: answers in the memory, documents in their purchases (`state/document-purchase.ts`), recordings in their voice jobs.
 */
export type Step =
  | { readonly kind: 'started' }
  // document: the stage of its purchase, for people; the purchase itself has the handles of the service
  | {
      readonly kind: 'intent' | 'closing' | 'uploaded' | 'finished' | 'downloading' | 'downloaded';
    }
  // voice: the job on the service has a record of its own
  | { readonly kind: 'voice'; readonly voiceJob: string }
  // every lane
  | {
      readonly kind: 'publishing';
      readonly path: string;
      readonly hash: Hash;
      readonly expectedOld: Hash | null;
    };

/** Gives access to one uploaded document. It is a secret: kept in files with mode 0600, and never logged. */
export interface UploadedDocument {
  readonly document_id: string;
  readonly document_key: string;
}

/** Why a job waits for a person. `characters`: Unicode code points that its release is expected to bill. */
export type Hold =
  | {
      readonly kind: 'budget';
      readonly scope: 'month' | 'project' | 'runner' | 'run' | 'file';
      readonly needs: number;
      readonly left: number;
      /** Minutes of audio; characters when absent. */
      readonly unit?: 'minutes';
    }
  | {
      readonly kind: 'approval';
      readonly characters: number;
      readonly limit: number;
      /** How many strings an earlier version or earlier settings did not translate; absent: the whole job is over the limit. */
      readonly texts?: number;
    }
  | { readonly kind: 'guard'; readonly files: number; readonly characters: number }
  /** `names`: of the keys, in their order, for people; see `SegmentProblem`. */
  | {
      readonly kind: 'conflict';
      readonly keys: readonly string[];
      readonly names?: readonly string[];
      /** Why it is not known which source the texts were made from; absent: a person edited them. */
      readonly message?: string;
    }
  | {
      readonly kind: 'edited-target';
      readonly beside: string | null;
      /** The part of the file that a person should check; absent: the whole file. */
      readonly message?: string;
      /**
       * The characters that the new version would bill; absent when nothing must be bought. Recordings have `seconds` of audio instead.
       */
      readonly characters?: number;
      readonly seconds?: number;
    }
  | { readonly kind: 'damaged-segments'; readonly problems: readonly SegmentProblem[] }
  // `reason`: what came instead of the answer; absent: nothing came
  | ({ readonly kind: 'in-doubt'; readonly reason?: string } & Price)
  | ({ readonly kind: 'lost-result'; readonly reason?: string } & Price)
  | ({ readonly kind: 'state-lost' } & Price)
  // the result is paid, kept and not delivered; `by`: the source is there, and the config does not ask for it any more
  | { readonly kind: 'source-gone'; readonly by?: 'config' }
  // the result is paid and kept; the price is that of buying it again
  | ({ readonly kind: 'doubtful'; readonly message: string } & Price)
  | { readonly kind: 'mass-deletion'; readonly files: number; readonly of: number }
  | { readonly kind: 'incomplete'; readonly message: string }
  /** In the source or in a target; the path is relative to the project's root. */
  | { readonly kind: 'conflict-markers'; readonly path: string; readonly line: number }
  /**
   * Absent `by`: the source is a pointer of git-LFS. `checkout`: a target is outside of a sparse checkout or in a submodule
   * that git has not fetched.
   */
  | { readonly kind: 'not-fetched'; readonly path: string; readonly by?: 'checkout' }
  /** A person undid the run that wrote the target. `run`: ISO 8601, when that run wrote its first file. */
  | { readonly kind: 'undone'; readonly run: string }
  | {
      readonly kind: 'unsuitable';
      readonly message: string;
      readonly advice: string;
      /** Seconds of audio that another try sends again; absent: it sends none. */
      readonly seconds?: number;
      /** Digest of the settings of `service`, where they are the reason; see `serviceDigest`. */
      readonly service?: string;
    };

export type BudgetHold = Extract<Hold, { kind: 'budget' }>;

/** The amounts that a second purchase is expected to bill. */
export interface Price {
  /** Unicode code points. */
  readonly characters: number;
  /** Seconds of audio; voice only. */
  readonly seconds?: number;
}

/** A segment whose answer is not fit to be written, and why. */
export interface SegmentProblem {
  readonly key: string;
  /** The name of a text for people where its key is a hash: its line. */
  readonly name?: string;
  readonly line?: number;
  readonly message: string;
  /** The paragraphs of both files may be paired in several ways: the lines of both, in words. `message` has the same in a sentence. */
  readonly unclear?: string;
}

export type JobState =
  | {
      readonly kind: 'queued';
      readonly notBefore?: number;
      /** Why paid work stopped when the job was last tried. It is stored so that later commands show it, too. */
      readonly stoppedBy?: Failure;
    }
  | {
      readonly kind: 'running';
      readonly attempt: number;
      readonly step: Step;
      readonly notBefore?: number;
      /** The job waits for free space on this disk, and is tried again from time to time. */
      readonly waitsFor?: Extract<Failure, { kind: 'disk-full' }>;
    }
  | { readonly kind: 'done'; readonly at: string }
  | { readonly kind: 'held'; readonly at: string; readonly hold: Hold }
  | {
      readonly kind: 'failed';
      readonly at: string;
      readonly failure: Failure;
      readonly attempts: number;
      /** Digest of the settings of `service` that the job failed with; see `serviceDigest`. */
      readonly service?: string;
      /** Name of the daemon that the job failed in; absent: no daemons share the tree, or an earlier version wrote it. */
      readonly daemon?: string;
    };

/** Whether the reason of a hold can pass without a person's command: then the planner looks at the job again. */
export function freesItself(hold: Hold): boolean {
  // Held while its source was gone: when the source is back, another purchase has a price.
  const isUnpriced = (hold.kind === 'in-doubt' || hold.kind === 'lost-result') && isFree(hold);
  return (
    isUnpriced || ['budget', 'source-gone', 'conflict-markers', 'not-fetched'].includes(hold.kind)
  );
}

function describeConflict({ message }: Extract<Hold, { kind: 'conflict' }>): string {
  return message === undefined
    ? 'edited by a person while the source changed'
    : `that may be stale (${message})`;
}

/** One line for people: why the job is held. */
export function describeHold(hold: Hold): string {
  switch (hold.kind) {
    case 'budget':
      return hold.unit === 'minutes'
        ? `the ${hold.scope} budget has ${hold.left} minutes of audio left, this needs ${hold.needs}`
        : `the ${hold.scope} budget has ${count(hold.left)} left, this needs ${count(hold.needs)}`;
    case 'approval':
      if (hold.texts !== undefined) {
        return `${plural(hold.texts, 'text')} (${count(hold.characters)}) that an earlier version or earlier settings did not translate`;
      }
      return `${count(hold.characters)} are more than approve_over (${count(hold.limit)})`;
    case 'guard':
      return `${hold.files} files changed at once, ${count(hold.characters)} in all`;
    case 'conflict':
      return `${plural(hold.keys.length, 'text')} ${describeConflict(hold)}: ${shortList(hold.names ?? hold.keys)}`;
    case 'edited-target':
      if (hold.message !== undefined) return hold.message;
      return hold.beside === null
        ? 'a person wrote or edited the translated file'
        : `a person wrote or edited the translated file; the new version is beside it: ${hold.beside}`;
    case 'damaged-segments':
      return describeProblems(hold.problems);
    case 'in-doubt':
      return `${hold.reason ?? 'the connection broke before the answer came'}: the service may have accepted and billed it`;
    case 'lost-result':
      return `it was paid, but the result was lost${hold.reason === undefined ? ' on the way' : `: ${hold.reason}`}`;
    case 'state-lost':
      return 'the state was lost: it may have been paid before';
    case 'mass-deletion':
      return `${hold.files} of ${hold.of} files vanished at once`;
    case 'incomplete':
      return `the file is not complete: ${hold.message}`;
    case 'conflict-markers':
      return `git left conflict markers in ${hold.path}, line ${hold.line}; nothing of it is sent`;
    case 'not-fetched':
      return hold.by === 'checkout'
        ? `git has not checked out ${hold.path}, so its content is not known`
        : `git-LFS has not fetched ${hold.path}: the file is only a pointer`;
    case 'undone':
      return `you undid the run of ${hold.run}`;
    case 'source-gone':
      return hold.by === 'config'
        ? 'its language or route was removed from the config; the translation is paid and kept'
        : 'its source is gone; the translation is paid and kept';
    case 'doubtful':
    case 'unsuitable':
      return hold.message;
  }
}

function describeProblems(problems: readonly SegmentProblem[]): string {
  const unclear = problems.filter((problem) => problem.unclear !== undefined);
  const damaged = Map.groupBy(
    problems.filter((problem) => problem.unclear === undefined),
    ({ message }) => message,
  );
  const reasons = [...damaged].map(
    ([why, same]) => `${shortList(same.map(({ key, name = key }) => name))} (${why})`,
  );
  return [
    ...(reasons.length === 0 ? [] : [`not fit to be written: ${shortList(reasons)}`]),
    ...reasonsOnce(unclear),
  ].join('; ');
}

/** Why paragraphs are held that can be paired in several ways, or are at the same place and can hardly be translations. */
export const UNCLEAR = 'it is not clear which paragraphs belong together';

/** @param lines the lines of both files, in words; or several such places */
export function describeUnclear(lines: string): string {
  return `${UNCLEAR}: ${lines}; make both files equal in number of paragraphs there, with the numbers and the code of the source, or retry the file to buy them`;
}

/** Each reason once, and one sentence for all unclear lines. */
export function reasonsOnce(
  problems: readonly Pick<SegmentProblem, 'message' | 'unclear'>[],
): string[] {
  const others = problems.flatMap(({ message, unclear }) =>
    unclear === undefined ? [message] : [],
  );
  const lines = [...new Set(problems.flatMap(({ unclear }) => unclear ?? []))];
  const shown = lines.slice(0, 3).join(' | ');
  const more = lines.length > 3 ? ` and ${lines.length - 3} places more` : '';
  return [...new Set(others), ...(lines.length === 0 ? [] : [describeUnclear(`${shown}${more}`)])];
}

/** Arguments of a command in a message, as a person can paste them into a shell. */
export type ShellWords = string & { readonly isForShell: unique symbol };

/** A path with a blank, a quote or a `$` is quoted; one that begins with `-` would be an option. */
export function shellWords(...paths: readonly string[]): ShellWords {
  const words = paths.map((path) => {
    const name = path.startsWith('-') ? `./${path}` : path;
    return PLAIN_WORD.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
  });
  return words.join(' ') as ShellWords;
}

const PLAIN_WORD = /^[\p{L}\p{M}\p{N}_@%+=:,./-]+$/u;

/** Stands for files that are too many to be named. */
export const ANY_FILES = 'FILE…' as ShellWords;

/** Advice for a person who wants to release a held job, most often a command. @param files the source or the target, for the command */
export function adviceForHold(hold: Hold, files: ShellWords): string {
  switch (hold.kind) {
    case 'budget':
      return `raise the budget in dragoman.yaml, or: dragoman approve ${files}`;
    case 'approval':
    case 'guard':
      return `dragoman approve ${files}`;
    case 'conflict':
      return `dragoman resolve ${files} --human | --machine | --edit`;
    case 'edited-target':
      return `dragoman resolve ${files} --human | --machine${priceOfNew(hold)}`;
    case 'damaged-segments':
      return `change the source text, or: dragoman retry ${files}`;
    case 'in-doubt':
    case 'lost-result':
    case 'state-lost':
      // The price is 0 when the source is gone, or its language or route: there is nothing to buy.
      return isFree(hold)
        ? `dragoman retry ${files} (forgets it: nothing asks for it any more)`
        : `dragoman retry ${files} (buys it again for ${pricePhrase(hold)})`;
    case 'source-gone':
      return `bring the ${hold.by === 'config' ? 'language or route' : 'source'} back, and it is delivered at no cost; or: dragoman resolve ${files} --human (forgets it)`;
    case 'doubtful':
      return `dragoman approve ${files} (takes it as it is, at no cost), or: dragoman retry ${files} (buys it again for ${pricePhrase(hold)})`;
    case 'mass-deletion':
      return 'bring the files back, or: dragoman approve --all';
    case 'incomplete':
      return 'finish the copy, or replace the file by a complete one; a running daemon or the next run then continues';
    case 'conflict-markers':
      return 'resolve the merge; a running daemon or the next run then continues';
    case 'not-fetched':
      return hold.by === 'checkout'
        ? `git sparse-checkout add FOLDER, or git submodule update --init; a running daemon or the next run then continues`
        : 'git lfs pull';
    case 'undone':
      return `change the source or the config, or: dragoman retry ${files}`;
    case 'unsuitable':
      return hold.seconds === undefined
        ? hold.advice
        : `${hold.advice} (buys it again for ${pricePhrase({ characters: 0, seconds: hold.seconds })})`;
  }
}

function isFree({ characters, seconds = 0 }: Price): boolean {
  return characters === 0 && seconds === 0;
}

function priceOfNew({ characters, seconds }: Partial<Price>): string {
  if (characters === undefined && seconds === undefined) return '';
  const price = { characters: characters ?? 0, ...(seconds === undefined ? {} : { seconds }) };
  return ` (buys the new version for ${pricePhrase(price)})`;
}

function pricePhrase({ characters, seconds }: Price): string {
  return seconds === undefined ? count(characters) : `${minutes(seconds)} minutes of audio`;
}

/** Minutes, rounded up to a tenth. */
function minutes(seconds: number): string {
  return inEnglish(Math.ceil(seconds / 6) / 10);
}

function count(characters: number): string {
  return plural(characters, 'character');
}

/** The first three of a list, and how many more there are. */
export function shortList(items: readonly string[]): string {
  const shown = items.slice(0, 3).join(', ');
  return items.length > 3 ? `${shown} and ${items.length - 3} more` : shown;
}

/** The source hash inside a fingerprint. */
export function sourceHashOf(print: Fingerprint): Hash {
  return print.slice(0, print.indexOf('.')) as Hash;
}

/** The recipe's key inside a fingerprint, without versions of glossary and style. */
export function recipeKeyOf(print: Fingerprint): RecipeKey {
  return print.slice(print.indexOf('.') + 1).split('-', 1)[0] as RecipeKey;
}
